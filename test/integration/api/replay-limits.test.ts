import { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { callerSignal } from '../../../src/api/server/caller-signal.ts';
import { AsyncCalls } from '../../../src/queue/async-calls.ts';
import { AsyncQueue } from '../../../src/queue/async-queue.ts';
import { type Delivery, newDelivery } from '../../../src/webhooks/delivery.ts';
import { lineKey } from '../../../src/webhooks/line-keys.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});

afterAll(() => api.stop());

async function cancelCalls(count: number): Promise<{ workspaceId: string; secret: string }> {
  const { workspaceId, accountId } = await api.aTenant();
  const { secret } = await api.ok('POST', '/v1/api-keys', {
    ...{ name: 'Key', workspaceId, scopes: ['calls:write'] },
    rateLimit: { limit: 10, windowSeconds: 600 },
  });
  for (let at = 0; at < count; at += 1) {
    const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getSupport`;
    const headers = { prefer: 'respond-async' };
    const { id } = await api.ok('POST', path, { params: {} }, { headers });
    await api.ok('DELETE', `/v1/calls/${id}`);
  }
  return { workspaceId, secret };
}

it('counts each call that is made once more, and a limited key makes no more than its limit at once', async () => {
  const { workspaceId, secret } = await cancelCalls(25);
  const wanted = { workspaceId, status: 'canceled' };
  const first = await api.request('POST', '/v1/calls/replay', wanted, { key: secret });
  expect(first.body).toMatchObject({ found: 10, replayed: 10 });
  expect(first.headers.get('ratelimit')).toMatch(/^"key";r=0;/);
  const startingAfter = first.body.next;
  const second = await api.request('POST', '/v1/calls/replay', { ...wanted, startingAfter }, { key: secret });
  expect([second.status, second.body.code]).toEqual([429, 'rate_limited']);
  expect(await api.ok('POST', '/v1/calls/replay', wanted)).toMatchObject({ replayed: 15, skipped: 10 });
});

it('says how many calls it has made once more until the workspace takes no more, and goes on behind them', async () => {
  const { workspaceId } = await cancelCalls(5);
  const wanted = { workspaceId, status: 'canceled' };
  const { asyncCalls, clock, log } = api.deps;
  const limits = { openMax: 2, bytesMax: 2 ** 28 };
  const queue = new AsyncQueue(api.redis);
  api.deps.asyncCalls = new AsyncCalls({ redis: api.redis, queue, clock, limits, log });
  const { next, ...counts } = await api.ok('POST', '/v1/calls/replay', wanted);
  expect(counts).toEqual({ found: 2, replayed: 2, skipped: 0, paused: 0 });
  const second = await api.request('POST', '/v1/calls/replay', { ...wanted, startingAfter: next });
  api.deps.asyncCalls = asyncCalls;
  expect(second).toMatchObject({ status: 429, body: { code: 'rate_limited', retryable: true } });
  // What was made before is not made once more if it ends without a result, too.
  const { data } = await api.ok('GET', `/v1/calls?workspaceId=${workspaceId}&status=queued`);
  for (const { id } of data) await api.ok('DELETE', `/v1/calls/${id}`);
  const rest = await api.ok('POST', '/v1/calls/replay', { ...wanted, startingAfter: next });
  expect(rest).toEqual({ found: 5, replayed: 3, skipped: 2, paused: 0, next: null });
});

it('counts a request once that is refused because of another one', async () => {
  const { workspaceId, secret } = await cancelCalls(10);
  const wanted = { workspaceId, status: 'canceled' };
  const { asyncCalls } = api.deps;
  let letGo = () => {};
  const hold = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const accept = asyncCalls.accept.bind(asyncCalls);
  const held = vi.spyOn(asyncCalls, 'accept').mockImplementation(async (...args) => {
    await hold;
    return accept(...args);
  });
  const first = api.ok('POST', '/v1/calls/replay', wanted);
  await eventually(() => held.mock.calls.length > 0);
  const refused = await api.request('POST', '/v1/calls/replay', wanted, { key: secret });
  letGo();
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=9;/);
  expect(await first).toMatchObject({ found: 10, replayed: 10 });
});

it('takes no cursor of the list of calls, and says which one it takes', async () => {
  const { workspaceId } = await cancelCalls(2);
  const { cursors } = await api.ok('GET', `/v1/calls?workspaceId=${workspaceId}&limit=1`);
  const wanted = { workspaceId, status: 'canceled', startingAfter: cursors.next };
  const answer = await api.request('POST', '/v1/calls/replay', wanted);
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
  expect(answer.body.detail).toMatch(/^Send `next` of the answer before/);
});

it('makes none once more of what is no account', async () => {
  const { workspaceId } = await cancelCalls(2);
  const wanted = { workspaceId, status: 'canceled', messengerAccountId: 'all' };
  expect(await api.ok('POST', '/v1/calls/replay', wanted)).toMatchObject({ found: 0, replayed: 0 });
});

it('makes the calls of a workspace once more in one request at a time', async () => {
  const { workspaceId } = await cancelCalls(20);
  const answers = await Promise.all(
    [1, 2, 3].map(() => api.request('POST', '/v1/calls/replay', { workspaceId, status: 'canceled' })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect(statuses).toContain(429);
});

it('leaves what is paused, and goes on behind it; a repeat gets its replay all the same', async () => {
  const { workspaceId } = await cancelCalls(3);
  const { data } = await api.ok('GET', `/v1/calls?workspaceId=${workspaceId}`);
  const first = await api.ok('POST', `/v1/calls/${data[0].id}/replay`);
  await api.ok('PUT', `/v1/pauses/workspace/${workspaceId}`, { mode: 'refuse' });
  const repeated = await api.ok('POST', `/v1/calls/${data[0].id}/replay`);
  expect(repeated.id).toBe(first.id);
  const other = await api.request('POST', `/v1/calls/${data[1].id}/replay`);
  expect([other.status, other.body.code]).toEqual([503, 'paused']);
  const all = await api.ok('POST', '/v1/calls/replay', { workspaceId, status: 'canceled' });
  expect(all).toEqual({ found: 3, replayed: 0, skipped: 1, paused: 2, next: null });
});

it('a recovery takes its turn among the long reads, and ends when its caller is gone', async () => {
  const { workspaceId } = await api.aTenant();
  const url = 'https://8.8.8.8/in';
  const { id } = await api.ok('POST', '/v1/webhooks', { workspaceId, url });
  const settledAt = Date.now();
  const delivery: Delivery = {
    ...newDelivery({ kind: 'RawUpdateConfig', offset: '1_1', messengerAccountId: null }),
    ...{ status: 'failed', tries: 10, settledAt: new Date(settledAt).toISOString() },
  };
  const owner = { id, workspaceId };
  const failed = lineKey(owner, 'log:failed');
  await api.redis.hset(lineKey(owner, 'deliveries'), delivery.id, JSON.stringify(delivery));
  await api.redis.zadd(failed, 0, delivery.id);
  await api.redis.zadd(lineKey(owner, 'settled'), settledAt, delivery.id);
  const body = JSON.stringify({ since: '2026-01-01T00:00:00Z' });
  const lines = ['host: x', `authorization: Bearer ${api.rootKey}`, 'content-type: application/json'];
  const head = [`POST /v1/webhooks/${id}/recover HTTP/1.1`, ...lines, `content-length: ${body.length}`];
  const ends: (() => void)[] = [];
  const { reads } = api.deps;
  const running = vi.spyOn(reads, 'run');
  const request = { principal: { kind: 'root' }, raw: { socket: new EventEmitter() } } as never;
  const others = [1, 2].map(() => reads.run(request, () => new Promise<void>((end) => ends.push(end))));
  const caller = await RawConnection.open(api.url);
  caller.send(`${head.join('\r\n')}\r\n\r\n${body}`);
  await eventually(() => running.mock.calls.length === 3);
  caller.close();
  const waiting = running.mock.calls[2]?.[0] as FastifyRequest;
  await eventually(() => callerSignal(waiting).aborted);
  for (const end of ends) end();
  await Promise.all(others);
  await eventually(() => running.mock.settledResults[2]?.type === 'rejected');
  expect(await api.redis.zcard(failed)).toBe(1);
  // The abandoned one ends a moment later: it first wakes the webhook.
  const next = await eventually(async () => {
    const answer = await api.request('POST', `/v1/webhooks/${id}/recover`, JSON.parse(body));
    return answer.status !== 429 && answer;
  });
  expect(next).toMatchObject({ status: 202, body: { requeued: 1 } });
  expect(await api.redis.zcard(failed)).toBe(0);
});

it('does not replay the replays that were made meanwhile', async () => {
  const { workspaceId } = await cancelCalls(103);
  const wanted = { workspaceId, status: 'canceled' };
  const { next } = await api.ok('POST', '/v1/calls/replay', wanted);
  const { data } = await api.ok('GET', `/v1/calls?workspaceId=${workspaceId}&status=queued`);
  for (const { id } of data) await api.ok('DELETE', `/v1/calls/${id}`);
  const rest = await api.ok('POST', '/v1/calls/replay', { ...wanted, startingAfter: next });
  expect(rest).toMatchObject({ found: 3, replayed: 3, next: null });
});

it('replays calls of a process whose clock is ahead, or that were made before the clock was set back, once', async () => {
  const { workspaceId } = await cancelCalls(103);
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now - 3_000);
  const wanted = { workspaceId, status: 'canceled' };
  const first = await api.ok('POST', '/v1/calls/replay', wanted);
  expect(first).toMatchObject({ found: 100, replayed: 100 });
  const { data } = await api.ok('GET', `/v1/calls?workspaceId=${workspaceId}&status=queued`);
  for (const { id } of data) await api.ok('DELETE', `/v1/calls/${id}`);
  const rest = await api.ok('POST', '/v1/calls/replay', { ...wanted, startingAfter: first.next });
  clock.mockRestore();
  expect(rest).toEqual({ found: 3, replayed: 3, skipped: 0, paused: 0, next: null });
});
