import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { BodyPieces } from '../../../src/api/server/body-pieces.ts';
import { isCollected } from '../../support/is-collected.ts';

const KiB = 1024;

test.each([[1], [3, 1_000], [16 * KiB, 1], [100, 20 * KiB, 100], [64 * KiB], [16 * KiB - 1, 2]])(
  'puts pieces of these sizes together: %j…',
  (...sizes) => {
    const body = randomBytes(100_000);
    const pieces = new BodyPieces();
    for (let at = 0, n = 0; at < body.length; n += 1) {
      const piece = body.subarray(at, at + (sizes[n % sizes.length] as number));
      pieces.add(piece);
      at += piece.length;
    }
    expect(pieces.size).toBe(body.length);
    expect(pieces.take().equals(body)).toBe(true);
    expect(pieces.take().length).toBe(0);
  },
);

test('takes no more memory for a body of tiny pieces than for a whole one', async () => {
  const heldBytes = async () => {
    await isCollected(new WeakRef({}));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const body = Buffer.alloc(64 * KiB);
  let pieces = new BodyPieces();
  let least = Number.POSITIVE_INFINITY;
  // What goes on beside it, such as code that is compiled, takes memory as well.
  for (let round = 0; round < 5 && least >= KiB * KiB; round += 1) {
    pieces = new BodyPieces();
    const before = await heldBytes();
    for (let n = 0; n < 256 * KiB; n += 1) pieces.add(body.subarray(n % body.length, (n % body.length) + 1));
    least = Math.min(least, (await heldBytes()) - before);
  }
  expect(least).toBeLessThan(KiB * KiB);
  expect(pieces.take().length).toBe(256 * KiB);
});
