import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { slotLineKey, slotsKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { monitorCommands } from '../../support/redis/monitor.ts';
import { serversOf } from '../../support/redis/redis-cluster.ts';
import { callAsync, endOf } from '../../support/service/async-calls.ts';
import { type Account, type Answer, type ApiProcess, Service } from '../../support/service/service.ts';

const METHOD = 'messages.sendMessage';
// The field of the ledger, with which a transaction begins, and the empty claim behind it: in MessagePack, as MONITOR shows it.
const LEDGER_FIELD = /(?:\\xbf|\\xd9%)(call_[0-9a-z]+)(#fault)?\\xa0/g;
const PARAMS = { peer: { _: 'inputPeerSelf' }, message: 'Hello' };

let service: Service;
let redis: RedisConnection;

beforeAll(async () => {
  // No call is to be refused while the machine stands still.
  const env = { CALL_TIMEOUT_MS: '600000' };
  service = await Service.start({ apis: 2, workers: 2, env });
  redis = openRedis(service.redis.url, 'worker', () => undefined);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

/** An account whose calls take so long, of a workspace of its own or the one given. */
async function anAccount(
  delayMs: number,
  caps: { workspace?: number; account?: number },
  workspaceId?: string,
) {
  const place = workspaceId ?? (await service.aWorkspace()).id;
  if (caps.workspace !== undefined)
    await service.ok('PATCH', `/v1/workspaces/${place}`, { maxConcurrentCalls: caps.workspace });
  const account = await service.anAccount(place, { maxConcurrentCalls: caps.account ?? null });
  await slowDown(account, delayMs);
  await known();
  return account;
}

async function slowDown(account: Account, delayMs: number): Promise<void> {
  const faults = [{ method: '*', delayMs, count: 100_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
}

/** Makes the next call of an account take so long, and each later one a tenth of a second. */
async function holdFirst(account: Account, delayMs: number): Promise<void> {
  const faults = [
    { method: '*', delayMs, count: 1 },
    { method: '*', delayMs: 100, count: 1_000 },
  ];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
}

/** Until every process has noticed a change of a record. */
const known = () => new Promise((resolve) => setTimeout(resolve, 1_100));

const apiUrl = (index: number) => (service.apis[index % 2] as ApiProcess).url;

const call = (account: Account, url = apiUrl(0)) => service.call(account, METHOD, PARAMS, { url });

/** Makes calls at both API processes at once. */
const callTimes = (account: Account, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(account, apiUrl(index))));

/**
 * How many of the calls made meanwhile were under way at the same time, as Redis saw it: from the commit that takes the delay of a
 * call to the commit of its effect.
 */
async function mostAtOnce(make: () => Promise<Answer[]>): Promise<number> {
  const running = new Set<string>();
  const ended = new Set<string>();
  let most = 0;
  const onCommand = ([name = '']: string[], line: string) => {
    if (!/^eval(sha)?$/i.test(name)) return;
    for (const [, callId = '', fault] of line.matchAll(LEDGER_FIELD)) {
      if (fault !== undefined) running.add(callId);
      else if (running.delete(callId)) ended.add(callId);
    }
    most = Math.max(most, running.size);
  };
  // One of them commits the calls, as they are all of one workspace.
  const monitors = await Promise.all(
    serversOf(service.redis).map(({ port }) => monitorCommands(port, onCommand)),
  );
  const answers = await make();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // Others may have run beside them.
  await eventually(() => answers.every(({ headers }) => ended.has(headers.get('call-id') ?? '')));
  for (const socket of monitors) socket.destroy();
  return most;
}

const slotsOf = (account: Account) => redis.zcard(slotsKey(account.workspaceId, account.id));

/** A metric of the first API process. */
async function metric(name: string): Promise<number> {
  const { body } = await service.request('GET', '/metrics', undefined, { url: apiUrl(0) });
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1]);
}

describe('caps on concurrent calls', () => {
  it.each([
    ['an account', { account: 1 }, 1],
    ['an account', { account: 3 }, 3],
    ['a workspace', { workspace: 3 }, 3],
    ['the lower one of both', { workspace: 2, account: 5 }, 2],
  ])('of %s hold for 200 calls at two API processes and two workers: %j', async (_, caps, most) => {
    const account = await anAccount(5, caps);
    expect(await mostAtOnce(() => callTimes(account, 200))).toBe(most);
    await eventually(async () => (await slotsOf(account)) === 0);
  });

  it('hold for a workspace over all of its accounts', async () => {
    const first = await anAccount(20, { workspace: 3 });
    const second = await anAccount(20, {}, first.workspaceId);
    const both = async () => (await Promise.all([callTimes(first, 20), callTimes(second, 20)])).flat();
    expect(await mostAtOnce(both)).toBe(3);
  });

  it('are met in the order in which calls came, whichever API process they came to', async () => {
    const account = await anAccount(100, { account: 1 });
    // The first one holds the slot until all others have come.
    await holdFirst(account, 5_000);
    const many = (count: number) => Array.from({ length: count }, () => call(account, apiUrl(0)));
    const before = many(10);
    await eventually(async () => (await metric('switchboard_calls_waiting_for_slot')) === 9);
    const one = call(account, apiUrl(1));
    // Both API processes wait for the slot.
    await eventually(async () => (await redis.hlen(slotLineKey(account.workspaceId, account.id))) === 2);
    const after = many(30);
    const { status, body } = await one;
    expect(status).toBe(200);
    const later = await Promise.all(after);
    const answers = [...(await Promise.all(before)), ...later];
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const earlier = later.filter((answer) => answer.body.txid < body.txid);
    expect(earlier.length).toBeLessThan(15);
  });

  it('hold for calls that share jobs, which all get through', async () => {
    const { id } = await service.aWorkspace();
    const accounts = await Promise.all(
      [2, 5].map((cap) => service.anAccount(id, { maxConcurrentCalls: cap })),
    );
    await service.ok('PATCH', `/v1/workspaces/${id}`, { maxConcurrentCalls: 4 });
    await known();
    const answers = (await Promise.all(accounts.map((account) => callTimes(account, 150)))).flat();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const account of accounts) await eventually(async () => (await slotsOf(account)) === 0);
    expect(await redis.zcard(slotsKey(id))).toBe(0);
  });

  it('hold for async calls, and for them together with others', async () => {
    const account = await anAccount(150, { account: 2 });
    const accepted = await Promise.all(
      Array.from({ length: 10 }, () => callAsync(service, account, METHOD, PARAMS)),
    );
    const answers = await callTimes(account, 10);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const ended = await Promise.all(accepted.map(({ body }) => endOf(service, body.id)));
    expect(ended.map(({ status, attempts }) => [status, attempts])).toEqual(
      ended.map(() => ['succeeded', 1]),
    );
    const ran = ended.map(({ startedAt, finishedAt }) => [Date.parse(startedAt), Date.parse(finishedAt)]);
    for (const [at = 0] of ran)
      expect(ran.filter(([from = 0, to = 0]) => from <= at && at < to).length).toBeLessThanOrEqual(2);
    await eventually(async () => (await slotsOf(account)) === 0);
  });

  it('of a workspace hold on when one of its accounts goes', async () => {
    const stays = await anAccount(300, { workspace: 1 });
    const goes = await anAccount(300, {}, stays.workspaceId);
    const lost = callTimes(goes, 8);
    const answers = mostAtOnce(async () => {
      const made = callTimes(stays, 8);
      await service.ok('DELETE', `/v1/messenger-accounts/${goes.id}`);
      return made;
    });
    expect(await answers).toBe(1);
    await lost;
  });

  it('can be raised, lowered and taken away while calls wait', async () => {
    const account = await anAccount(1_000, { account: 1 });
    const patch = (maxConcurrentCalls: number | null) =>
      service.ok('PATCH', `/v1/messenger-accounts/${account.id}`, { maxConcurrentCalls });
    const changed = async () => {
      const answers = callTimes(account, 150);
      await eventually(async () => (await slotsOf(account)) === 1);
      await patch(8);
      await eventually(async () => (await slotsOf(account)) === 8);
      await patch(2);
      await eventually(async () => (await slotsOf(account)) === 2);
      await patch(null);
      return answers;
    };
    expect(await mostAtOnce(changed)).toBeGreaterThan(8);
  });

  it('count no call whose caller has gone', async () => {
    // Much longer than the slot may stay held.
    const account = await anAccount(25_000, { account: 1 });
    const gone = new AbortController();
    const path = `/workspaces/${account.workspaceId}/messenger-accounts/${account.id}/call/${METHOD}`;
    const canceled = [0, 1].map((index) =>
      fetch(`${apiUrl(index)}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.rootKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ params: PARAMS }),
        signal: gone.signal,
      }).catch(() => null),
    );
    await eventually(async () => (await slotsOf(account)) === 1);
    gone.abort();
    await Promise.all(canceled);
    await eventually(async () => (await slotsOf(account)) === 0);
  });

  it('let no call run that still waits when its account is deleted', async () => {
    // It must still be running then, even if the machine stalled before.
    const account = await anAccount(6_000, { account: 1 });
    const answers = callTimes(account, 4);
    await eventually(async () => (await slotsOf(account)) === 1);
    await service.ok('DELETE', `/v1/messenger-accounts/${account.id}`);
    const codes = (await answers).map(({ body }) => body.code ?? 'ran').sort();
    expect(codes).toEqual(['not_found', 'not_found', 'not_found', 'ran']);
  });

  it('are shown in the metrics while calls wait', async () => {
    const account = await anAccount(100, { account: 1 });
    // Metrics are collected once a second at most, and the machine may stand still meanwhile.
    await holdFirst(account, 8_000);
    const answers = Array.from({ length: 3 }, () => call(account));
    await eventually(async () => (await metric('switchboard_calls_waiting_for_slot')) === 2);
    expect(await metric('switchboard_call_slots_held')).toBe(1);
    await Promise.all(answers);
    await eventually(async () => (await metric('switchboard_calls_waiting_for_slot')) === 0);
  });
});

describe('a cap', () => {
  it('lets calls wait until their time is over, and frees the slot of one that takes too long', async () => {
    const short = await service.startApi({ CALL_TIMEOUT_MS: '1000' });
    const account = await anAccount(25_000, { account: 1 });
    const answers = await Promise.all([call(account, short.url), call(account, short.url)]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [504, 'call_timeout'],
      [504, 'call_timeout'],
    ]);
    await eventually(async () => (await slotsOf(account)) === 0);
  });

  it('gets back the slots of an API process that was killed', async () => {
    const doomed = await service.startApi({ CALL_TIMEOUT_MS: '10000' });
    // None of its calls ends before the process does.
    const account = await anAccount(25_000, { account: 2 });
    const lost = Array.from({ length: 6 }, () => call(account, doomed.url).catch(() => null));
    await eventually(async () => (await slotsOf(account)) === 2);
    const exited = once(doomed.child, 'exit');
    doomed.child.kill('SIGKILL');
    await exited;
    expect(await Promise.all(lost)).toEqual(Array(6).fill(null));
    await slowDown(account, 500);
    const answers = await callTimes(account, 4);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await eventually(async () => (await slotsOf(account)) === 0);
  });
});
