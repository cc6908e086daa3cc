import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
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

test('nothing is kept of a stream behind an answer that is long in coming, once both are given up', async () => {
  const { workspaceId } = await api.aTenant();
  await appendUpdates(api.redis, workspaceId, [{ value: 'x'.repeat(100_000) }]);
  const { unread } = api.deps.reads;
  const before = unread.bytes;
  const answers: ServerResponse[] = [];
  const note = (_request: unknown, response: ServerResponse) => answers.push(response);
  api.app.server.on('request', note);
  onTestFinished(() => void api.app.server.off('request', note));
  const connection = await RawConnection.open(api.url);
  for (const query of ['offset=now&live=long-poll', 'offset=-1&live=sse'])
    connection.send(
      `GET /v1/workspaces/${workspaceId}/updates?${query} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${api.rootKey}\r\n\r\n`,
    );
  await eventually(() => unread.bytes > before + 100_000);
  // It is given up after a while, as nobody takes it.
  await eventually(() => answers[1]?.destroyed, { timeoutMs: 20_000 });
  connection.close();
  await eventually(() => api.deps.updates.lag.readers === 0);
  expect(unread.bytes).toBe(before);
}, 40_000);

test('streams that wait for room end when the process stops', async () => {
  const other = await TestApi.start();
  const readers = await readersWithoutRoom(other);
  await other.stop();
  await eventually(() => readers.every(({ isOver }) => isOver));
  for (const { events } of readers) expect(events).toEqual([]);
});
