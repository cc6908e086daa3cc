import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Heartbeat } from '../../../src/directory/heartbeat.ts';
import { newId } from '../../../src/ids.ts';
import { claimIdempotencyKey } from '../../../src/ledger/claim.ts';
import { openLogger } from '../../../src/logger.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { Link } from '../../torture/rig/link.ts';

const HOUR_MS = 3_600_000;
const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');

let server: TestRedis;
let link: Link;
let redis: RedisConnection;
let alive: Heartbeat;

beforeAll(async () => {
  server = await startTestRedis();
  link = await Link.open(server.port);
  redis = openRedis(`redis://127.0.0.1:${link.port}`, 'request', () => undefined);
  await untilReady(redis);
  alive = new Heartbeat(redis, 'alive', log);
  await alive.start();
});

afterAll(async () => {
  await alive.stop();
  redis.disconnect();
  await link.close();
  await server.stop();
});

function claim(
  key: string,
  callId: string,
  processName = 'alive',
  payload: { method?: string; params?: object } = {},
) {
  return claimIdempotencyKey(redis, {
    workspaceId: 'ws_1',
    accountId: 'acc_1',
    key,
    method: 'help.getSupport',
    params: {},
    callId,
    processName,
    notAfter: Date.now() + HOUR_MS,
    ...payload,
  });
}

it('a claim that is sent twice by its connection is one claim', async () => {
  const attempt = newId('call');
  expect(await claim('twice', attempt)).toEqual(await claim('twice', attempt));
  await expect(claim('twice', newId('call'))).rejects.toMatchObject({ code: 'call_in_flight' });
});

it('a claim whose answer was lost is given up, long before it would end by itself', async () => {
  await claim('loads the script', newId('call'));
  link.lose('answers');
  await expect(claim('lost', newId('call'))).rejects.toThrow();
  link.heal();
  const again = newId('call');
  const claimed = await eventually(() => claim('lost', again).catch(() => null), {
    timeoutMs: 30_000,
    everyMs: 50,
  });
  expect(claimed).toMatchObject({ claim: expect.stringContaining(again) });
});

it('a claim of a process that shows no sign of life goes to one next attempt', async () => {
  const gone = new Heartbeat(redis, 'gone', log);
  await gone.start();
  const first = await claim('left behind', newId('call'), 'gone');
  await expect(claim('left behind', newId('call'))).rejects.toMatchObject({ code: 'call_in_flight' });
  await gone.stop();
  const [one, other] = await Promise.allSettled([
    claim('left behind', newId('call')),
    claim('left behind', newId('call')),
  ]);
  expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected']);
  expect([one, other]).not.toContainEqual(expect.objectContaining({ value: first }));
});

describe('a key', () => {
  const params = { peer: { _: 'inputPeerUser', userId: 1, accessHash: '0' }, message: 'Hello' };
  const method = 'messages.sendMessage';
  const payloads = {
    'another method': { method: 'messages.editMessage', params },
    'other params': { method, params: { ...params, message: 'Bye' } },
    'other params within': { method, params: { ...params, peer: { ...params.peer, userId: 2 } } },
    'items in another order': { method, params: { ...params, entities: [{ offset: 1 }, { offset: 0 }] } },
  };

  it.each(Object.entries(payloads))('that is in flight is refused with %s', async (what, payload) => {
    await claim(what, newId('call'), 'alive', { method, params });
    const reused = { code: 'idempotency_key_reused' };
    await expect(claim(what, newId('call'), 'alive', payload)).rejects.toMatchObject(reused);
  });

  it.each(Object.entries(payloads))('that was used is refused with %s', async (what, payload) => {
    const claimed = await claim(`done ${what}`, newId('call'), 'alive', { method, params });
    if ('replay' in claimed) throw new Error('it was claimed before');
    const hash = claimed.claim.slice(claimed.claim.indexOf(' ') + 1);
    await redis.hset(ledgerKey('ws_1', claimed.ledger), 'reply', `done:${hash}\n200 -\n{}`);
    expect(await claim(`done ${what}`, newId('call'), 'alive', { method, params })).toEqual({
      replay: '200 -\n{}',
    });
    const reused = { code: 'idempotency_key_reused' };
    await expect(claim(`done ${what}`, newId('call'), 'alive', payload)).rejects.toMatchObject(reused);
  });

  it('is the same whatever the order of the members', async () => {
    await claim('reordered', newId('call'), 'alive', { method, params });
    const peer = { accessHash: '0', userId: 1, _: 'inputPeerUser' };
    const reordered = claim('reordered', newId('call'), 'alive', {
      method,
      params: { message: 'Hello', peer },
    });
    await expect(reordered).rejects.toMatchObject({ code: 'call_in_flight' });
  });
});
