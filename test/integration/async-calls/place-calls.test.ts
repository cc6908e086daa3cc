import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptCall, PLACED_MAX } from '../../../src/async-calls/accept-call.ts';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { beginAttempt, type CallAttempt, postponeCall } from '../../../src/async-calls/attempt-call.ts';
import { cleanCalls, findNextDue } from '../../../src/async-calls/clean-calls.ts';
import {
  forgetDue,
  isMarkedDue,
  markDue,
  releaseWorkspace,
  scanWorkspacesWithCalls,
  takeDueWorkspaces,
} from '../../../src/async-calls/due-workspaces.ts';
import { endCall } from '../../../src/async-calls/end-call.ts';
import { findExpiringCalls, forgetExpiring } from '../../../src/async-calls/expiring-calls.ts';
import { findCall, findRunAt } from '../../../src/async-calls/find-call.ts';
import {
  findOverdueCalls,
  PLACED_CHECK_MS,
  placeWaitingCalls,
} from '../../../src/async-calls/place-calls.ts';
import { readBytesUsed } from '../../../src/bytes/byte-budget.ts';
import { newId } from '../../../src/ids.ts';
import { Problem } from '../../../src/problem.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { bytesKey, directoryKey, ledgerKey, stateKey } from '../../../src/redis/keys.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const DAY_MS = 24 * 3_600_000;
const LIMITS = { openMax: 1_000, bytesMax: 2 ** 28 };
const [WAITING, PLACED, EXPIRING] = ['async:waiting', 'async:placed', 'async:expiring'];
// As it was written by earlier releases.
const ENDED = 'async:ended';

let server: TestRedis;
let redis: RedisConnection;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
});

beforeEach(async () => {
  await redis.flushall();
  workspaceId = newId('workspace');
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

function aCall(more: Partial<AsyncCall> = {}): AsyncCall {
  const [id, createdAt] = [newId('call'), Date.now()];
  return {
    ...{ id, workspaceId, organizationId: 'org_1', messengerAccountId: 'acc_1', method: 'help.getSupport' },
    ...{ params: {}, seed: id, createdAt, scheduleAt: null, expiresAt: createdAt + 60_000, replayOf: null },
    ...more,
  };
}

async function accept(more: Partial<AsyncCall> = {}) {
  const call = aCall(more);
  const accepted = await acceptCall(redis, call, null, LIMITS);
  return { call, accepted, ref: { workspaceId, callId: call.id, accountId: call.messengerAccountId } };
}

const key = (name: string | undefined) => stateKey(workspaceId, name as string);
const entryOf = ({ id }: AsyncCall) => `${id} acc_1`;
const idsIn = async (name: string | undefined) =>
  (await redis.zrange(key(name), '0', '-1')).map((entry) => entry.split(' ')[0]);
const list = (name: string) => idsIn(`async:list:${name}`);

describe('a call', () => {
  it('that may run at once is placed while there is room; others wait, those that run first in front', async () => {
    const placed = [];
    for (let n = 0; n < PLACED_MAX; n += 1) placed.push(await accept());
    expect(placed.map(({ accepted }) => accepted)).toEqual(Array(PLACED_MAX).fill({ isPlaced: true }));
    const beyond = await accept();
    const scheduled = await accept({ scheduleAt: Date.now() + 30_000 });
    expect([beyond.accepted, scheduled.accepted]).toEqual([{ isPlaced: false }, { isPlaced: false }]);
    expect(await idsIn(WAITING)).toEqual([beyond.call.id, scheduled.call.id]);
    expect(await redis.zcard(key(PLACED))).toBe(PLACED_MAX);
    expect(await redis.zcard(key(EXPIRING))).toBe(PLACED_MAX + 2);
    expect(Number(await redis.zscore(key(WAITING), entryOf(scheduled.call)))).toBe(scheduled.call.scheduleAt);
    expect(await placeWaitingCalls(redis, workspaceId)).toEqual([]);
    await endCall(redis, placed[0]?.call as AsyncCall, 'canceled', new Problem('canceled'), Date.now());
    expect(await placeWaitingCalls(redis, workspaceId)).toEqual([beyond.ref]);
    expect(await idsIn(WAITING)).toEqual([scheduled.call.id]);
    expect(await idsIn(PLACED)).toContain(beyond.call.id);
    // That one is not due, though there is room.
    await endCall(redis, placed[1]?.call as AsyncCall, 'canceled', new Problem('canceled'), Date.now());
    expect(await placeWaitingCalls(redis, workspaceId)).toEqual([]);
  });

  it('that was due long ago is placed in its turn, no more than there is room for', async () => {
    const waiting = [];
    for (let n = 0; n < PLACED_MAX + 4; n += 1)
      waiting.push((await accept({ scheduleAt: Date.now() + 60_000 })).call);
    for (const [n, call] of waiting.entries()) await redis.zadd(key(WAITING), 1_000 - n, entryOf(call));
    const found = await placeWaitingCalls(redis, workspaceId);
    expect(found.map(({ callId }) => callId)).toEqual(
      waiting
        .toReversed()
        .slice(0, PLACED_MAX)
        .map(({ id }) => id),
    );
    expect(await redis.zcard(key(WAITING))).toBe(4);
  });

  it('whose job ought to be there for ten seconds is looked after, once in that time', async () => {
    const [fresh, old] = [await accept(), await accept()];
    const now = Date.now();
    await redis.zadd(key(PLACED), now - PLACED_CHECK_MS - 1_000, entryOf(old.call));
    expect(await findOverdueCalls(redis, workspaceId)).toEqual([old.ref]);
    expect(await findOverdueCalls(redis, workspaceId)).toEqual([]);
    expect(Number(await redis.zscore(key(PLACED), entryOf(old.call)))).toBeGreaterThanOrEqual(now - 1_000);
    expect(await idsIn(PLACED)).toContain(fresh.call.id);
  });

  it('is shown in the lists of its status until it is in those of another', async () => {
    const { call, ref } = await accept();
    const shown = async () => {
      const found: string[] = [];
      for (const status of ['queued', 'running', 'succeeded', 'failed', 'canceled', 'expired'])
        for (const whose of ['all', 'acc_1'])
          if ((await list(`${status}:${whose}`)).includes(call.id)) found.push(`${status}:${whose}`);
      return found;
    };
    expect(await shown()).toEqual(['queued:all', 'queued:acc_1']);
    const attempt = (await beginAttempt(redis, ref, true)) as CallAttempt;
    expect(await shown()).toEqual(['running:all', 'running:acc_1']);
    const runAt = Date.now() + 5_000;
    await postponeCall(redis, ref, attempt, runAt, { code: 'x' });
    expect(await shown()).toEqual(['queued:all', 'queued:acc_1']);
    expect([await idsIn(WAITING), await idsIn(PLACED)]).toEqual([[call.id], []]);
    expect(await findRunAt(redis, workspaceId, call.id)).toBe(runAt);
    expect(await findCall(redis, workspaceId, call.id)).toMatchObject({
      status: 'queued',
      attempts: 1,
      runAt,
      lastError: { code: 'x' },
      end: null,
    });
    expect(await endCall(redis, call, 'failed', new Problem('unavailable'), Date.now())).toBe(true);
    expect(await shown()).toEqual(['failed:all', 'failed:acc_1']);
    expect([
      await idsIn(WAITING),
      await idsIn(PLACED),
      await idsIn(EXPIRING),
      await idsIn('async:ended:failed'),
    ]).toEqual([[], [], [], [call.id]]);
    expect(await findRunAt(redis, workspaceId, call.id)).toBeNull();
    for (const whose of ['all', 'acc_1']) expect(await list(`any:${whose}`)).toEqual([call.id]);
  });

  it('that has ended is not ended, begun or put back again', async () => {
    const { call, ref } = await accept();
    const attempt = (await beginAttempt(redis, ref, true)) as CallAttempt;
    expect(await endCall(redis, call, 'canceled', new Problem('canceled'), Date.now())).toBe(true);
    expect(await endCall(redis, call, 'failed', new Problem('unavailable'), Date.now())).toBe(false);
    expect(await beginAttempt(redis, ref, true)).toBeNull();
    await postponeCall(redis, ref, attempt, Date.now(), {});
    expect(await redis.zcard(key(WAITING))).toBe(0);
    const gone = { ...ref, callId: newId('call') };
    await postponeCall(redis, gone, attempt, Date.now(), {});
    expect(await redis.zcard(key(WAITING))).toBe(0);
    expect(await findCall(redis, workspaceId, gone.callId)).toBeNull();
    const end = await findCall(redis, workspaceId, call.id);
    expect(end).toMatchObject({
      status: 'canceled',
      lastError: null,
      end: { error: { code: 'canceled' }, result: 'null' },
    });
    expect(await redis.pttl(ledgerKey(workspaceId, call.id))).toBeGreaterThan(25 * 3_600_000);
  });

  it('past its time is found, the earliest first, and forgotten where there is nothing of it', async () => {
    const [late, later, open] = [
      await accept(),
      await accept(),
      await accept({ expiresAt: Date.now() + 60_000 }),
    ];
    await redis.zadd(key(EXPIRING), 20, entryOf(late.call), 10, entryOf(later.call));
    expect(await findExpiringCalls(redis, workspaceId, 20)).toEqual([later.ref, late.ref]);
    expect(await findExpiringCalls(redis, workspaceId, 19.9)).toEqual([later.ref]);
    await redis.zadd(key(WAITING), 1, entryOf(late.call));
    await forgetExpiring(redis, late.ref);
    for (const name of [WAITING, PLACED, EXPIRING]) expect(await idsIn(name)).not.toContain(late.call.id);
    expect(await idsIn(EXPIRING)).toEqual([later.call.id, open.call.id]);
    // There is something of it.
    expect(await list('any:all')).toContain(late.call.id);
  });

  it('whose record has expired, as those of earlier releases did, leaves every list, and its bytes with the last one', async () => {
    const [gone, running, open] = [await accept(), await accept(), await accept()];
    await beginAttempt(redis, running.ref, false);
    await redis.unlink(...[gone, running].map(({ call }) => key(`async:call:${call.id}`)));
    for (const { ref } of [gone, running]) await forgetExpiring(redis, ref);
    for (const name of ['any:all', 'any:acc_1', 'queued:all', 'queued:acc_1'])
      expect(await list(name)).toEqual([open.call.id]);
    for (const name of ['running:all', 'running:acc_1']) expect(await list(name)).toEqual([]);
    expect(Number(await redis.hget(bytesKey(workspaceId), 'calls'))).toBeGreaterThan(0);
    await redis.unlink(key(`async:call:${open.call.id}`));
    await forgetExpiring(redis, open.ref);
    // Resent after a lost connection, it finds that nothing counts any more.
    await forgetExpiring(redis, open.ref);
    expect(await redis.hget(bytesKey(workspaceId), 'calls')).toBeNull();
    expect(await readBytesUsed(redis, [workspaceId])).toEqual([0]);
  });
});

describe('a workspace', () => {
  it('is due when the first of its calls is', async () => {
    expect(await findNextDue(redis, workspaceId)).toBeNull();
    const set = (name: string | undefined, at: number) => redis.zadd(key(name), at, `call_${name} acc_1`);
    await set(ENDED, 1_000);
    expect(await findNextDue(redis, workspaceId)).toBe(1_000 + DAY_MS);
    await set(EXPIRING, 90_000);
    expect(await findNextDue(redis, workspaceId)).toBe(90_000);
    await set(PLACED, 70_000);
    expect(await findNextDue(redis, workspaceId)).toBe(70_000 + PLACED_CHECK_MS);
    await set(WAITING, 75_000);
    expect(await findNextDue(redis, workspaceId)).toBe(75_000);
  });

  it('is left to the one who takes it, as many as are asked for, until it is forgotten', async () => {
    const ids = ['ws_1', 'ws_2', 'ws_3'];
    for (const [at, id] of ids.entries()) await markDue(redis, id, Date.now() - 10_000 + at);
    const taken = await takeDueWorkspaces(redis, 2, 60_000);
    expect(taken.ids).toEqual(['ws_1', 'ws_2']);
    expect(taken.until).toBeGreaterThan(Date.now() + 50_000);
    expect((await takeDueWorkspaces(redis, 2, 60_000)).ids).toEqual(['ws_3']);
    expect((await takeDueWorkspaces(redis, 2, 60_000)).ids).toEqual([]);
    await releaseWorkspace(redis, 'ws_1', taken.until, Date.now() - 5);
    await releaseWorkspace(redis, 'ws_2', taken.until + 1, null);
    await releaseWorkspace(redis, 'ws_3', taken.until - 1, Date.now() - 5);
    expect((await takeDueWorkspaces(redis, 9, 60_000)).ids).toEqual(['ws_1']);
    await forgetDue(redis, 'ws_1');
    await markDue(redis, 'ws_2', Date.now() - 1);
    expect((await takeDueWorkspaces(redis, 9, 60_000)).ids).toEqual(['ws_2']);
  });

  it('that is marked for later while it is taken is due as early as its release says, unless another has taken it', async () => {
    const aMinute = () => Date.now() + 60_000;
    const take = () => takeDueWorkspaces(redis, 9, 10_000);
    await markDue(redis, 'ws_1', 1);
    const { until } = await take();
    await markDue(redis, 'ws_1', aMinute());
    await releaseWorkspace(redis, 'ws_1', until, null);
    expect((await take()).ids).toEqual([]);
    await releaseWorkspace(redis, 'ws_1', until, 2);
    expect((await take()).ids).toEqual(['ws_1']);
    // Not by one whose lease is over.
    await releaseWorkspace(redis, 'ws_1', until, 2);
    expect((await take()).ids).toEqual([]);
    await forgetDue(redis, 'ws_1');
    await releaseWorkspace(redis, 'ws_1', until, 2);
    expect(await isMarkedDue(redis, 'ws_1')).toBe(false);
  });

  it('is not released by one who took it before another did, though in the same millisecond', async () => {
    const take = async () => (await takeDueWorkspaces(redis, 1, 60_000)).until;
    const mark = () => markDue(redis, 'ws_1', 1);
    let [former, latter] = [0, 1];
    while (Math.floor(former) !== Math.floor(latter)) {
      await redis.del(directoryKey('async-workspaces'));
      const done = await Promise.all([mark(), take(), mark(), take()]);
      [former, latter] = [done[1], done[3]];
    }
    await releaseWorkspace(redis, 'ws_1', former, null);
    expect(await isMarkedDue(redis, 'ws_1')).toBe(true);
    await releaseWorkspace(redis, 'ws_1', latter, null);
    expect(await isMarkedDue(redis, 'ws_1')).toBe(false);
  });

  it('is found among all that keep calls, however many', async () => {
    const wanted = Array.from({ length: 1_000 }, (_, at) => `ws_${at}`);
    await Promise.all(wanted.map((id, at) => markDue(redis, id, at)));
    const found = [];
    for await (const ids of scanWorkspacesWithCalls(redis)) found.push(...ids);
    expect(new Set(found)).toEqual(new Set(wanted));
  });

  it('keeps calls for a day once they have ended, and no more of them than it may', async () => {
    const ended = [];
    for (let n = 0; n < 5; n += 1) {
      const { call } = await accept();
      await endCall(redis, call, 'canceled', new Problem('canceled'), Date.now());
      const name = n < 2 ? 'async:ended:canceled' : ENDED;
      if (name === ENDED) await redis.zrem(key('async:ended:canceled'), `${entryOf(call)} canceled`);
      await redis.zadd(key(name), 1_000 + n, `${entryOf(call)} canceled`);
      ended.push(call.id);
    }
    const clean = (now: number, keptMax = 100) =>
      cleanCalls(redis, workspaceId, now, { keptMax, bytesMax: 2 ** 28, runMs: 1_000 });
    expect(await clean(1_001 + DAY_MS)).toBeNull();
    expect(await idsIn(ENDED)).toEqual(ended.slice(2));
    expect(await clean(0, 2)).toBeNull();
    expect(await idsIn(ENDED)).toEqual(ended.slice(3));
    for (const name of ['any:all', 'any:acc_1', 'canceled:all', 'canceled:acc_1'])
      expect((await list(name)).toSorted()).toEqual(ended.slice(3).toSorted());
    expect(await findCall(redis, workspaceId, ended[0] as string)).toBeNull();
    // As where calls were accepted before their bytes counted.
    await redis.hdel(bytesKey(workspaceId), 'calls');
    expect(await clean(0, 0)).toBeNull();
    expect(await idsIn(ENDED)).toEqual([]);
  });
});
