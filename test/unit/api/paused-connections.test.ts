import { expect, test } from 'vitest';
import { PausedConnections } from '../../../src/api/server/paused-connections.ts';
import type { Pipeline } from '../../../src/api/server/pipeline.ts';

const MiB = 1024 * 1024;

function aPipeline(size: number) {
  const pipeline = {
    unread: { size },
    pause: { isOn: false, bytes: 0, isOld: false, isListed: false },
    isHeld: false,
    hold: () => (pipeline.isHeld = true),
    release: () => (pipeline.isHeld = false),
  };
  return pipeline;
}

const as = (pipeline: object) => pipeline as unknown as Pipeline;

test('has room for 64 MiB of all connections together, and for more once some are read again', () => {
  const left = new PausedConnections();
  const first = aPipeline(40 * MiB);
  const second = aPipeline(30 * MiB);
  expect(left.add(as(first))).toBe(true);
  expect(left.add(as(second))).toBe(false);
  left.release(as(second));
  left.release(as(first));
  expect(left.add(as(second))).toBe(true);
  second.unread.size = 63 * MiB;
  expect(left.add(as(second))).toBe(true);
});

test('stops reading those that are still there at the end of a turn, and those with a whole chunk at once', () => {
  const left = new PausedConnections();
  const [short, long, released] = [aPipeline(10), aPipeline(64 * 1024), aPipeline(10)];
  for (const pipeline of [short, long, released]) left.add(as(pipeline));
  expect([short.isHeld, long.isHeld]).toEqual([false, true]);
  left.release(as(released));
  left.holdAdded();
  expect([short.isHeld, released.isHeld]).toEqual([true, false]);
  left.release(as(long));
  expect(long.isHeld).toBe(false);
});
