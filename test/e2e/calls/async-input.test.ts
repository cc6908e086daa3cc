import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callAsync, endOf, messageTo } from '../../support/service/async-calls.ts';
import { type Account, Service } from '../../support/service/service.ts';

const SEND = 'messages.sendMessage';
const DAY_MS = 86_400_000;

let service: Service;
let from: Account;
let to: Account;

beforeAll(async () => {
  service = await Service.start();
  const { id } = await service.aWorkspace();
  [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(() => service.stop());

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('what is wrong is refused, and nothing is kept of it', () => {
  it.each([
    ['/scheduleAt', { scheduleAt: 'tomorrow' }],
    ['/scheduleAt', { scheduleAt: 7 }],
    ['/scheduleAt', { scheduleAt: null }],
    ['/scheduleAt', { scheduleAt: '2030-13-01T00:00:00Z' }],
    ['/scheduleAt', { scheduleAt: '2030-01-01T00:00:00' }],
    ['/scheduleAt', { scheduleAt: inMs(-120_000) }],
    ['/scheduleAt', { scheduleAt: inMs(31 * DAY_MS) }],
    ['/expiresAt', { expiresAt: inMs(-1_000) }],
    ['/expiresAt', { expiresAt: inMs(61 * DAY_MS) }],
    ['/expiresAt', { scheduleAt: inMs(DAY_MS), expiresAt: inMs(DAY_MS / 2) }],
    ['/surplus', { surplus: 1 }],
  ])('%s in %j', async (pointer, more) => {
    const answer = await callAsync(service, from, SEND, messageTo(to, 'x'), { more });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_body', errors: [{ pointer }] } });
  });

  it('expiresAt without respond-async', async () => {
    const more = { expiresAt: inMs(DAY_MS) };
    const answer = await callAsync(service, from, SEND, messageTo(to, 'x'), {
      more,
      headers: { prefer: '' },
    });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/expiresAt' }] } });
  });

  it.each([
    ['GET', '/v1/calls/call_nothing', 404],
    ['GET', '/v1/calls/call_01h455vb4pex5vsknk084sn02q', 404],
    ['DELETE', '/v1/calls/call_01h455vb4pex5vsknk084sn02q', 404],
    ['POST', '/v1/calls/call_01h455vb4pex5vsknk084sn02q/replay', 404],
    ['GET', '/v1/calls/call_01h455vb4pex5vsknk084sn02q?wait=61', 400],
    ['GET', '/v1/calls/call_01h455vb4pex5vsknk084sn02q?wait=-1', 400],
    ['GET', '/v1/calls/call_01h455vb4pex5vsknk084sn02q?wait=1&wait=2', 400],
    ['GET', '/v1/calls/call_01h455vb4pex5vsknk084sn02q?more=1', 400],
    ['GET', '/v1/calls?status=dead', 400],
    ['GET', '/v1/calls?limit=101', 400],
    ['GET', '/v1/calls?startingAfter=x', 400],
  ])('%s %s is %i', async (method, path, status) => {
    expect((await service.request(method, path)).status).toBe(status);
  });

  it('keeps nothing', async () => {
    expect((await service.ok('GET', '/v1/calls')).data).toEqual([]);
  });
});

it('runs a scheduled call at its time, and without Prefer', async () => {
  const scheduleAt = inMs(2_000);
  const answer = await callAsync(service, from, SEND, messageTo(to, 'at two'), {
    more: { scheduleAt },
    headers: { prefer: '' },
  });
  expect(answer).toMatchObject({ status: 202, body: { status: 'queued' } });
  const call = await endOf(service, answer.body.id);
  expect(call).toMatchObject({ status: 'succeeded', scheduleAt });
  expect(Date.parse(call.startedAt)).toBeGreaterThanOrEqual(Date.parse(scheduleAt));
});

it('ends a call as expired that nobody could run in time', async () => {
  const worker = service.workers[0];
  worker?.child.kill('SIGSTOP');
  const { body } = await callAsync(service, from, SEND, messageTo(to, 'too late'), {
    more: { expiresAt: inMs(10_000) },
  });
  await new Promise((resolve) => setTimeout(resolve, 10_500));
  worker?.child.kill('SIGCONT');
  const call = await endOf(service, body.id);
  expect(call).toMatchObject({ status: 'expired', error: { code: 'call_expired' } });
});

it('gives the same call again for the same Idempotency-Key', async () => {
  const headers = { prefer: 'respond-async', 'idempotency-key': 'async-1' };
  const send = (text: string) => callAsync(service, from, SEND, messageTo(to, text), { headers });
  const [first, second] = [await send('keyed'), await send('keyed')];
  expect(second.body.id).toBe(first.body.id);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.headers.get('location')).toBe(`/v1/calls/${first.body.id}`);
  expect(await send('other')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  expect((await endOf(service, first.body.id)).status).toBe('succeeded');
});

it('makes a failed call again once, and lists calls page by page', async () => {
  const wrong = { peer: { _: 'inputPeerUser', userId: 999_999_999, accessHash: '0' }, message: 'x' };
  const { body } = await callAsync(service, from, SEND, wrong);
  await endOf(service, body.id);
  const first = await service.ok('POST', `/v1/calls/${body.id}/replay`);
  const second = await service.ok('POST', `/v1/calls/${body.id}/replay`);
  expect(second).toEqual(first);
  expect(first.id).not.toBe(body.id);
  expect(await endOf(service, first.id)).toMatchObject({ status: 'failed', replayOf: body.id });

  const base = `/v1/calls?workspaceId=${from.workspaceId}&limit=1&status=failed`;
  const page = await service.ok('GET', base);
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  const next = await service.ok('GET', `${base}&startingAfter=${page.cursors.next}`);
  expect(next.data.map(({ id }: { id: string }) => id)).toEqual([first.id]);
  expect(next.hasMore).toBe(false);
  const back = await service.ok('GET', `${base}&endingBefore=${next.cursors.previous}`);
  expect(back.data).toEqual(page.data);
  const ofOther = await service.ok('GET', `/v1/calls?messengerAccountId=${to.id}`);
  expect(ofOther.data).toEqual([]);
});

it('makes many failed calls again, each once', async () => {
  const { id } = await service.aWorkspace();
  const account = await service.anAccount(id);
  const wrong = { peer: { _: 'inputPeerUser', userId: 999_999_999, accessHash: '0' }, message: 'x' };
  const calls = await Promise.all([1, 2, 3].map(() => callAsync(service, account, SEND, wrong)));
  for (const { body } of calls) await endOf(service, body.id);
  const single = await service.ok('POST', `/v1/calls/${calls[0]?.body.id}/replay`);
  await endOf(service, single.id);
  const answer = await service.ok('POST', '/v1/calls/replay', { workspaceId: id });
  expect(answer).toEqual({ found: 4, replayed: 3, skipped: 1, paused: 0, next: null });
  const none = await service.ok('POST', '/v1/calls/replay', { workspaceId: id, status: 'expired' });
  expect(none).toEqual({ found: 0, replayed: 0, skipped: 0, paused: 0, next: null });
});
