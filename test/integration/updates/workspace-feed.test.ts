import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeptUpdates } from '../../../src/updates/kept-updates.ts';
import { readUpdates } from '../../../src/updates/read-updates.ts';
import { SlicedTasks } from '../../../src/updates/sliced-tasks.ts';
import { type Listener, WorkspaceFeed } from '../../../src/updates/workspace-feed.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

it('knows by how many milliseconds a reader is behind, from the first update that it has not read', async () => {
  const feed = new WorkspaceFeed(redis, ws, new SlicedTasks(), new KeptUpdates(1_000_000));
  await appendUpdates(redis, ws, [{ value: 'before' }]);
  await feed.refresh();
  const { next: start } = await readUpdates(redis, ws, 'end');
  expect(feed.millisecondsAfter(start)).toBe(0);
  await sleep(500);
  const appendedAt = performance.now();
  await appendUpdates(redis, ws, [{ value: 'first' }]);
  await feed.refresh();
  expect(feed.millisecondsAfter(start)).toBe(0);
  await sleep(100);
  await appendUpdates(redis, ws, [{ value: 'second' }]);
  await feed.refresh();
  expect(feed.millisecondsAfter(start)).toBeGreaterThan(90);
  // From before the first was appended.
  expect(feed.millisecondsAfter(start)).toBeLessThan(performance.now() - appendedAt + 500);
  const { next: end } = await readUpdates(redis, ws, 'end');
  expect(feed.millisecondsAfter(end)).toBe(0);
  feed.close();
});

it('wakes who listens then, after one has left that was to be woken', async () => {
  const feed = new WorkspaceFeed(redis, ws, new SlicedTasks(), new KeptUpdates(1_000_000));
  const woken: string[] = [];
  const [leaves, stays] = ['leaves', 'stays'].map((name) => ({ wake: () => void woken.push(name) }));
  feed.listen(leaves as Listener);
  feed.wakeAll();
  feed.unlisten(leaves as Listener);
  await turn();
  feed.listen(stays as Listener);
  feed.wakeAll();
  await eventually(() => woken.length > 0);
  expect(woken).toEqual(['stays']);
  feed.close();
});

it('says that readers are up to date only at the end of the stream', async () => {
  const feed = new WorkspaceFeed(redis, ws, new SlicedTasks(), new KeptUpdates(10_000_000));
  await feed.refresh();
  let at = (await readUpdates(redis, ws, 'end')).next;
  // More than is read at once.
  await appendUpdates(
    redis,
    ws,
    Array.from({ length: 250 }, (_, value) => ({ value })),
  );
  const { next: end } = await readUpdates(redis, ws, 'end');
  const places: [isEnd: boolean, upToDate: boolean | undefined][] = [];
  const wake = () => {
    for (let count = 1; count > 0; ) {
      const batch = feed.heldAfter(at);
      at = batch?.next ?? at;
      places.push([at === end, batch?.upToDate]);
      count = batch?.entries.length ?? 0;
    }
  };
  feed.listen({ wake });
  await feed.refresh();
  await eventually(() => at === end);
  expect(places.length).toBeGreaterThan(1);
  for (const [isEnd, upToDate] of places) expect(upToDate).toBe(isEnd);
  feed.close();
});

it('counts the bytes of what it holds, once more for what readers at different offsets are sent, and nothing once it is closed', async () => {
  const kept = new KeptUpdates(100_000_000);
  const feed = new WorkspaceFeed(redis, ws, new SlicedTasks(), kept);
  await feed.refresh();
  const { next: start } = await readUpdates(redis, ws, 'end');
  const text = '夏'.repeat(10_000);
  await appendUpdates(redis, ws, [{ value: text }, { value: text }]);
  await feed.refresh();
  const bytes = Buffer.byteLength(text);
  const times = () => Math.round(kept.bytes / bytes);
  expect(times()).toBe(2);
  const [first] = feed.heldAfter(start)?.entries ?? [];
  expect(times()).toBe(4);
  feed.heldAfter(first?.offset ?? '');
  expect(times()).toBe(5);
  // Readers at the same offset share it.
  feed.heldAfter(start);
  expect(times()).toBe(5);
  feed.close();
  expect(kept.bytes).toBe(0);
});
