import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { Problem } from '../../../src/problem.ts';
import type { Reply } from '../../../src/queue/frame.ts';
import { orderFromDriver } from '../../../src/queue/submit/account-orders.ts';
import type { Caller, CallRequest } from '../../../src/queue/submit/pending-call.ts';

const ACCOUNT = {
  ...{ id: 'acc_1', workspaceId: 'ws_1', organizationId: 'org_1', driver: 'sandbox', name: 'Account' },
  ...{ userId: 7, bot: true, strictPeers: true, faults: true },
} as unknown as Parameters<typeof orderFromDriver>[1];

/** Takes orders in, and answers each with the reply. */
function aGateway(reply: Omit<Reply, 'offset' | 'headers'> | null) {
  const taken: { request: CallRequest; caller: Caller | undefined }[] = [];
  const submit = async (request: CallRequest, caller?: Caller): Promise<Reply> => {
    taken.push({ request, caller });
    caller?.on('close', () => undefined);
    if (reply === null) throw new Problem('call_timeout');
    return { offset: null, headers: {}, ...reply };
  };
  return { taken, submit };
}

it('an order goes the way of a call of the account, which meets no faults, and gives its result', async () => {
  const gateway = aGateway({ status: 200, body: '{"result":{"done":true},"txid":1}' });
  const { signal } = new AbortController();
  expect(await orderFromDriver(gateway, ACCOUNT, 'resetAccount', { a: 1 }, signal)).toEqual({ done: true });
  const [{ request, caller } = {}] = gateway.taken;
  expect(request).toEqual({
    ...{
      id: expect.stringMatching(/^call_/),
      workspaceId: 'ws_1',
      organizationId: 'org_1',
      driver: 'sandbox',
    },
    account: { id: 'acc_1', userId: 7, bot: true, strictPeers: true, faults: false },
    ...{ method: 'resetAccount', kind: 'order', params: { a: 1 }, lane: 'shared', bytes: 263 },
    ...{ idempotencyKey: null, timeoutMs: 10_000, caps: null },
  });
  expect(caller?.destroyed).toBe(false);
  // A connection outlives many orders.
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('counts with the bytes of its params, as a call does', async () => {
  const gateway = aGateway({ status: 200, body: '{"result":{}}' });
  const params = { messages: ['x'.repeat(400_000)] };
  await orderFromDriver(gateway, ACCOUNT, 'setSponsoredMessages', params, new AbortController().signal);
  expect(gateway.taken[0]?.request.bytes).toBeGreaterThan(400_000);
});

it('is known as one whose caller is gone once its signal has ended', async () => {
  const gateway = aGateway({ status: 200, body: '{"result":{}}' });
  await orderFromDriver(gateway, ACCOUNT, 'resetAccount', {}, AbortSignal.abort());
  expect(gateway.taken[0]?.caller?.destroyed).toBe(true);
});

it('tells who has submitted it when its signal ends', async () => {
  const controller = new AbortController();
  let closed = 0;
  const submit = async (_: CallRequest, caller?: Caller): Promise<Reply> => {
    caller?.on('close', () => {
      closed += 1;
    });
    controller.abort();
    return { status: 200, offset: null, headers: {}, body: '{"result":{}}' };
  };
  await orderFromDriver({ submit }, ACCOUNT, 'resetAccount', {}, controller.signal);
  expect(closed).toBe(1);
});

it.each([
  ['with a detail', { detail: 'It is in use.' }],
  ['without one', {}],
])('a refusal of the driver is thrown as it is, %s', async (_, more) => {
  const problem = { code: 'USERNAME_OCCUPIED', title: 'Taken', retryable: false, ...more };
  const gateway = aGateway({ status: 409, body: JSON.stringify(problem) });
  const { signal } = new AbortController();
  const thrown = await orderFromDriver(gateway, ACCOUNT, 'connectAccount', {}, signal).catch(
    (error) => error,
  );
  expect(thrown).toBeInstanceOf(Problem);
  expect(JSON.parse(JSON.stringify(thrown))).toMatchObject({ ...problem, status: 409 });
  expect('detail' in JSON.parse(JSON.stringify(thrown))).toBe('detail' in more);
});

it('what keeps it from running is thrown, and nobody listens any more', async () => {
  const { signal } = new AbortController();
  const order = orderFromDriver(aGateway(null), ACCOUNT, 'resetAccount', {}, signal);
  await expect(order).rejects.toMatchObject({ code: 'call_timeout' });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it.each(['call_timeout', 'outcome_unknown'] as const)(
  'the next step after %s is not that of a call, which may be async or have an Idempotency-Key',
  async (code) => {
    const { signal } = new AbortController();
    const problem = new Problem(code);
    const answered = { status: problem.status, body: JSON.stringify(problem) };
    const refusing = { submit: () => Promise.reject(problem) };
    for (const gateway of [aGateway(answered), refusing]) {
      const order = orderFromDriver(gateway, ACCOUNT, 'resetAccount', {}, signal);
      const detail = expect.stringMatching(/^(?!.*(Prefer|Idempotency)).*send the request again/);
      await expect(order).rejects.toMatchObject({ code, detail });
    }
  },
);

it('what is known better than that is told, such as that no worker runs', async () => {
  const { signal } = new AbortController();
  const problem = new Problem('call_timeout', { detail: 'No worker answers.' });
  const gateway = { submit: () => Promise.reject(problem) };
  const order = orderFromDriver(gateway, ACCOUNT, 'resetAccount', {}, signal);
  await expect(order).rejects.toMatchObject({ detail: 'No worker answers.' });
});

it('a driver that asks to wait says for how long', async () => {
  const { signal } = new AbortController();
  const problem = { code: 'FLOOD_WAIT', title: 'Wait', detail: 'Wait.', retryable: true };
  const reply = { status: 429, offset: null, headers: { 'retry-after': '7' }, body: JSON.stringify(problem) };
  const order = orderFromDriver({ submit: async () => reply }, ACCOUNT, 'connectAccount', {}, signal);
  await expect(order).rejects.toMatchObject({ code: 'FLOOD_WAIT', retryAfter: 7 });
});

it('what a problem says in members of its own is told', async () => {
  const problem = new Problem('workspace_full', { members: { bytesUsed: 7, bytesMax: 5 } });
  const gateway = aGateway({ status: 507, body: JSON.stringify(problem) });
  const order = orderFromDriver(gateway, ACCOUNT, 'connectAccount', {}, new AbortController().signal);
  const thrown = await order.catch((error) => error);
  expect(JSON.parse(JSON.stringify(thrown))).toEqual(JSON.parse(JSON.stringify(problem)));
});
