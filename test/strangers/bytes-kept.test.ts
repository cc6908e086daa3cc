import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, type Answer, Service } from '../support/service/service.ts';
import { Stranger } from '../support/strangers/stranger.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const MiB = 1024 * 1024;
const BUDGET = 5 * MiB;
const ASYNC_BYTES = 16 * MiB;
const ATTACK_MS = 10_000;
// This process has the lowest priority meanwhile.
const PATIENCE_MS = 60_000;

let service: Service;
let victim: Victim;
let redis: Redis;

beforeAll(async () => {
  service = await Service.start({ env: { ASYNC_CALL_BYTES_PER_WORKSPACE: String(ASYNC_BYTES) } });
  redis = new Redis(service.redis.url);
  victim = await Victim.create(service);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

async function redisMemory(): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
}

/** A workspace with a budget and two accounts of it. */
async function aTenant(bytesMax: number): Promise<{ workspaceId: string; account: Account; peer: Account }> {
  const { id: workspaceId } = await service.aWorkspace();
  const [account, peer] = [await service.anAccount(workspaceId), await service.anAccount(workspaceId)];
  await service.ok('PATCH', `/v1/workspaces/${workspaceId}`, { bytesMax });
  return { workspaceId, account, peer };
}

/**
 * Asks as fast as `lines` connections can, for a while, and until so many answers are as wanted; the answers counted by their status and
 * code.
 */
async function flood(
  lines: number,
  [wanted, count]: [answer: string, count: number],
  ask: () => Promise<Answer>,
): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const [until, patience] = [performance.now() + ATTACK_MS, performance.now() + PATIENCE_MS];
  const goesOn = () =>
    performance.now() < until || ((answers[wanted] ?? 0) < count && performance.now() < patience);
  const line = async () => {
    while (goesOn()) {
      const { status, body } = await ask();
      const name = status < 400 ? `${status}` : `${status} ${body.code}`;
      answers[name] = (answers[name] ?? 0) + 1;
      if (status >= 400) await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: lines }, line));
  return answers;
}

async function used(workspaceId: string): Promise<number> {
  return (await service.ok('GET', `/v1/workspaces/${workspaceId}`)).bytesUsed;
}

it('keeps no large answers of reads that come with an Idempotency-Key', async () => {
  const stranger = await Stranger.create(service);
  const { account } = stranger;
  const params = await stranger.uploadFile();
  const before = await redisMemory();
  let keys = 0;
  const harm = await victim.during(() =>
    flood(2, ['200', 51], () => {
      keys += 1;
      return service.call(account, 'upload.getFile', params, {
        headers: { 'idempotency-key': `read-${keys}` },
      });
    }),
  );
  const grown = (await redisMemory()) - before;
  process.stderr.write(
    `keyed getFile: ${JSON.stringify(harm.result)}, Redis ${(grown / MiB).toFixed(1)} MiB above\n`,
  );
  expect(harm.result['200']).toBeGreaterThan(50);
  // Replies that are on their way, and what the victim sends.
  expect(grown).toBeLessThan(40 * MiB);
  expect(await used(account.workspaceId)).toBeLessThan(8 * MiB);
  const again = await service.call(account, 'upload.getFile', params, {
    headers: { 'idempotency-key': 'read-1' },
  });
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotency-replayed')).toBeNull();
  expectUnhurt('keyed reads', harm);
});

it('bounds the bytes of scheduled calls', async () => {
  const { account, peer, workspaceId } = await aTenant(1024 * MiB);
  const message = 'x'.repeat(700_000);
  const before = await redisMemory();
  const path = `/workspaces/${workspaceId}/messenger-accounts/${account.id}/call/messages.sendMessage`;
  const params = { peer: { _: 'inputPeerUser', userId: peer.userId, accessHash: '0' }, message };
  const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
  const harm = await victim.during(() =>
    flood(1, ['429 rate_limited', 1], () => service.request('POST', path, { params, scheduleAt })),
  );
  const grown = (await redisMemory()) - before;
  process.stderr.write(
    `scheduled calls: ${JSON.stringify(harm.result)}, Redis ${(grown / MiB).toFixed(1)} MiB above\n`,
  );
  expect(harm.result['429 rate_limited']).toBeGreaterThan(0);
  expect(harm.result['202']).toBeLessThanOrEqual(ASYNC_BYTES / 700_000);
  expect(grown).toBeLessThan(3 * ASYNC_BYTES);
  expectUnhurt('scheduled calls', harm);
});

it('refuses a tenant that writes on once its budget is used, and no other, until it deletes', async () => {
  const { account, peer, workspaceId } = await aTenant(BUDGET);
  const to = { _: 'inputPeerUser', userId: peer.userId, accessHash: '0' };
  const text = { peer: to, message: 'x'.repeat(4_000) };
  const before = await redisMemory();
  const sent: number[] = [];
  const harm = await victim.during(() =>
    flood(4, ['507 workspace_full', 1], async () => {
      const answer = await service.call(account, 'messages.sendMessage', text);
      if (answer.status === 200) sent.push(answer.body.result.id);
      return answer;
    }),
  );
  const grown = (await redisMemory()) - before;
  process.stderr.write(
    `budget: ${JSON.stringify(harm.result)}, Redis ${(grown / MiB).toFixed(1)} MiB above\n`,
  );
  expect(harm.result['507 workspace_full']).toBeGreaterThan(0);
  expect(grown).toBeLessThan(BUDGET + 40 * MiB);
  expect(await used(workspaceId)).toBeGreaterThanOrEqual(BUDGET);

  const message = { peer: to, message: 'Hello' };
  const refused = await service.call(account, 'messages.sendMessage', message);
  expect([refused.status, refused.body.code]).toEqual([507, 'workspace_full']);
  expect(refused.body.detail).toMatch(/delete/i);
  const path = `/workspaces/${workspaceId}/messenger-accounts/${account.id}/call/messages.sendMessage`;
  const later = await service.request(
    'POST',
    path,
    { params: message },
    { headers: { prefer: 'respond-async' } },
  );
  expect(later.body.code).toBe('workspace_full');
  const keyed = await service.call(account, 'messages.sendMessage', message, {
    headers: { 'idempotency-key': 'k' },
  });
  expect(keyed.body.code).toBe('workspace_full');
  const webhook = { workspaceId, url: 'https://1.1.1.1/' };
  expect((await service.request('POST', '/v1/webhooks', webhook)).body.code).toBe('workspace_full');

  await service.result(account, 'messages.getHistory', {
    ...{ peer: to, offsetId: 0, offsetDate: 0, addOffset: 0, limit: 10, maxId: 0, minId: 0 },
    hash: '0',
  });
  const full = await used(workspaceId);
  for (let at = 0; at < sent.length; at += 50) {
    await service.result(account, 'messages.deleteMessages', { id: sent.slice(at, at + 50), revoke: true });
  }
  // For each message its text, and an eighth more. How many were sent before the budget was used depends on the machine.
  expect(await used(workspaceId)).toBeLessThan(full - sent.length * text.message.length * 1.125);
  await service.result(account, 'messages.sendMessage', message);
  await service.ok('PATCH', `/v1/workspaces/${workspaceId}`, { bytesMax: 1 });
  expect((await service.call(account, 'messages.sendMessage', message)).status).toBe(507);
  await service.ok('DELETE', `/v1/messenger-accounts/${peer.id}`);
  await service.ok('PATCH', `/v1/workspaces/${workspaceId}`, { bytesMax: null });
  await service.result(account, 'messages.sendMessage', { ...message, peer: { _: 'inputPeerSelf' } });
  expectUnhurt('a tenant that writes all it can', harm);
});
