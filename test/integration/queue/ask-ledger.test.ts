import { afterEach, beforeEach, expect, it } from 'vitest';
import { callEntry } from '../../../src/ledger/entry.ts';
import { findRecorded } from '../../../src/ledger/settle.ts';
import { encodeFrame } from '../../../src/queue/frame.ts';
import { askLedger } from '../../../src/queue/submit/ask-ledger.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { aPendingCall, aSentBatch } from '../../support/queue/pending-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const FRAME = encodeFrame(200, '', '{"result":1}');

let server: TestRedis;
let redis: RedisConnection;

beforeEach(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'submit', () => undefined);
  await untilReady(redis);
});

afterEach(async () => {
  redis.disconnect();
  await server.stop();
});

it('gives the reply that is recorded', async () => {
  const [pending, batch] = [aPendingCall(), aSentBatch()];
  const { ledger, field } = callEntry(redis, pending.call, batch);
  await redis.hset(ledger, field, FRAME);
  expect(await askLedger(redis, pending, batch)).toBe(FRAME);
});

it('sees to it that a call of which nothing is recorded never takes effect', async () => {
  const [pending, batch] = [aPendingCall(), aSentBatch()];
  expect(await askLedger(redis, pending, batch)).toBeNull();
  expect(await findRecorded(redis, callEntry(redis, pending.call, batch))).not.toBeNull();
  expect(await askLedger(redis, pending, batch)).toBeNull();
});

it('does not know what became of a call whose ledger has gone, and says so once a reply has had time to be read', async () => {
  const batch = { ...aSentBatch(), ledgerExpiresAt: Date.now() - 1 };
  const askedAt = performance.now();
  expect(await askLedger(redis, aPendingCall(), batch)).toBeUndefined();
  expect(performance.now() - askedAt).toBeGreaterThan(900);
});

it('asks again while Redis is away, until the call has been answered', async () => {
  const [pending, batch] = [aPendingCall(), aSentBatch()];
  await server.stop();
  const asked = askLedger(redis, pending, batch);
  pending.state = 'ended';
  expect(await asked).toBeUndefined();
});

it('has the answer of a Redis that comes back', async () => {
  const [pending, batch] = [aPendingCall(), aSentBatch()];
  await server.stop();
  const asked = askLedger(redis, pending, batch);
  server = await startTestRedis({ port: server.port });
  expect(await asked).toBeNull();
});
