import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { FRESH_MS } from '../../../src/directory/directory-watch.ts';
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

test('a stream that has waited for room does not begin once its key was deleted', async () => {
  const { organizationId, workspaceId } = await api.aTenant();
  const wanted = { name: 'Key', workspaceId, scopes: ['updates:read'] };
  const key = await api.ok('POST', '/v1/api-keys', wanted);
  const others = api.deps.reads.unread.join(organizationId);
  expect(others.reserve(SHARE)).toBe(true);
  const join = vi.spyOn(api.deps.reads.unread, 'join');
  const path = `/v1/workspaces/${workspaceId}/updates?offset=-1&live=sse`;
  const stream = api.request('GET', path, undefined, { key: key.secret });
  await eventually(() => join.mock.calls.length > 0);
  await api.ok('DELETE', `/v1/api-keys/${key.id}`);
  await sleep(2 * FRESH_MS);
  others.leave();
  expect((await stream).status).toBe(401);
  expect(api.deps.updates.lag.readers).toBe(0);
});

test('streams that wait for room end when the process stops', async () => {
  const other = await TestApi.start();
  const readers = await readersWithoutRoom(other);
  await other.stop();
  await eventually(() => readers.every(({ isOver }) => isOver));
  for (const { events } of readers) expect(events).toEqual([]);
});
