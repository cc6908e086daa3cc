import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { type Subscriber, subscribe } from '../../support/http/subscriber.ts';

const MiB = 1024 * 1024;
// What an organization may leave unread while no other does.
const SHARE = 8 * MiB;
const READERS = 20;

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

/** Readers of an organization without room for what they are to be sent. */
async function readersWithoutRoom(target = api): Promise<Subscriber[]> {
  const { organizationId, workspaceId } = await target.aTenant();
  expect(target.deps.reads.unread.join(organizationId).reserve(SHARE)).toBe(true);
  const url = `${target.url}/v1/workspaces/${workspaceId}/updates?offset=now&live=sse`;
  const readers = await Promise.all(Array.from({ length: READERS }, () => subscribe(url, target.rootKey)));
  const value = 'x'.repeat(100_000);
  const isBehind = async () => {
    await appendUpdates(target.redis, workspaceId, [{ value }]);
    return target.deps.updates.lag.furthestMs > 0;
  };
  await eventually(isBehind);
  return readers;
}

test('nothing is kept of streams that end while they wait for room', async () => {
  const readers = await readersWithoutRoom();
  for (const { request } of readers) request.destroy();
  await eventually(() => api.deps.updates.lag.readers === 0);
  expect(getEventListeners(api.deps.updates.signal, 'abort')).toEqual([]);
});

test('streams that wait for room end when the process stops', async () => {
  const other = await TestApi.start();
  const readers = await readersWithoutRoom(other);
  await other.stop();
  await eventually(() => readers.every(({ isOver }) => isOver));
  for (const { events } of readers) expect(events).toEqual([]);
});
