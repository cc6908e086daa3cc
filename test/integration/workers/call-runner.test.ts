import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setByteBudget } from '../../../src/bytes/byte-budget.ts';
import { readConfig } from '../../../src/config.ts';
import { newId } from '../../../src/ids.ts';
import { type Claim, claimIdempotencyKey } from '../../../src/ledger/claim.ts';
import { openLogger } from '../../../src/logger.ts';
import { ReplyWriter } from '../../../src/queue/consume/reply-writer.ts';
import type { Lane } from '../../../src/queue/queues.ts';
import type { CallBatch, WireCall } from '../../../src/queue/wire.ts';
import { openRedis, type RedisConnection, untilReady } from '../../../src/redis/connections.ts';
import { batchLedgerKey } from '../../../src/redis/keys.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';
import { CallLog } from '../../../workers/call-log.ts';
import { CallRunner } from '../../../workers/call-runner.ts';
import {
  type Driver,
  defineMethod,
  MessengerError,
  type Method,
  NeedsSlowLane,
} from '../../../workers/driver.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
import { RunMetrics } from '../../../workers/run-metrics.ts';
import { StopSignals } from '../../../workers/stop-signals.ts';
import { eventually } from '../../support/eventually.ts';
import { aClock } from '../../support/queue/test-calls.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const STREAM = 'replies';

let server: TestRedis;
let redis: RedisConnection;
let runner: CallRunner;
let callLog: CallLog;
/** What the calls of one method wait for. */
let held: Promise<void> = Promise.resolve();
/** What a method does before it fails for good. */
let beforeFailure: () => Promise<unknown> = () => Promise.resolve();
/** The random ids that messages were sent with. */
const drawn: unknown[] = [];

function holdProcess(): void {
  const until = performance.now() + 5;
  while (performance.now() < until);
}

/** Its calls hold the process for five milliseconds each, or wait; those of one method have to be moved to the slow lane then. */
const slowDriver: Driver = {
  name: 'sandbox',
  methods: new Map<string, Method>([
    [
      'help.getSupport',
      defineMethod('help.getSupport', async () => {
        holdProcess();
        return { _: 'help.support', phoneNumber: '', user: { _: 'userEmpty', id: 1 } };
      }),
    ],
    [
      'help.getConfig',
      defineMethod('help.getConfig', async (_, { mayWait }) => {
        holdProcess();
        if (!mayWait) throw new NeedsSlowLane();
        return { _: 'updatesTooLong' } as never;
      }),
    ],
    [
      'messages.readMentions',
      defineMethod('messages.readMentions', async () => {
        await held;
        return { _: 'messages.affectedHistory', pts: 0, ptsCount: 0, offset: 0 };
      }),
    ],
    [
      'messages.readHistory',
      defineMethod('messages.readHistory', async () => {
        await beforeFailure();
        throw new MessengerError('PEER_ID_INVALID');
      }),
    ],
    [
      'messages.sendMessage',
      defineMethod('messages.sendMessage', async ({ randomId }) => {
        drawn.push(randomId);
        return { _: 'updatesTooLong' };
      }),
    ],
    [
      'messages.search',
      defineMethod('messages.search', async ({ limit }, { tx }) => {
        tx.charactersRead += limit * 1024;
        return { _: 'messages.messagesNotModified', count: 0 };
      }),
    ],
    [
      'messages.deleteHistory',
      defineMethod('messages.deleteHistory', async ({ maxId, revoke }, { tx }) => {
        for (let id = 1; id <= (maxId ?? 0); id += 1) tx.zadd('history', id, id);
        if (revoke) throw new MessengerError('MESSAGE_DELETE_FORBIDDEN');
        return { _: 'messages.affectedHistory', pts: 0, ptsCount: 0, offset: 0 };
      }),
    ],
    [
      'messages.getBotCallbackAnswer',
      defineMethod('messages.getBotCallbackAnswer', async ({ msgId }, { ahead, workspaceId }) => {
        await ahead?.(async (tx) => tx.hset('pressed', msgId, '1'));
        await setByteBudget(redis, workspaceId, 1);
        if (msgId === 0) throw new MessengerError('BOT_RESPONSE_TIMEOUT');
        return { _: 'messages.botCallbackAnswer', cacheTime: 0 };
      }),
    ],
  ]),
  orders: new Map(),
  findFault: async () => null,
};

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'state', () => undefined);
  await untilReady(redis);
  await redis.xadd(STREAM, '*', '', '');
  const log = openLogger(readConfig({ REDIS_URL: server.url, LOG_LEVEL: 'silent' }), 'test');
  const clock = await aClock(redis);
  callLog = new CallLog(log, { SLOW_CALL_MS: 1_000 }, new Registry());
  runner = new CallRunner({
    state: redis,
    executor: new CallExecutor({
      state: redis,
      clock,
      drivers: new Map([['slow', slowDriver]]),
      data: { isLostSince: async () => false },
      tenants: { find: async (workspaceId) => ({ organizationId: workspaceId, workspaceId, weight: 1 }) },
      crashFaults: false,
    }),
    replies: new ReplyWriter(redis),
    clock,
    signals: new StopSignals(),
    callLog,
    tracing: NO_TRACING,
    metrics: new RunMetrics(new Registry()),
    retention: { touch: () => undefined },
    deliveries: { touch: () => undefined },
    log,
  });
});

afterAll(async () => {
  callLog.stop();
  redis.disconnect();
  await server.stop();
});

const moveNothing = () => Promise.reject(new Error('nothing is moved here'));

function aCall(more: Partial<WireCall> = {}): WireCall {
  const now = Date.now();
  return {
    id: newId('call'),
    number: 7,
    workspaceId: newId('workspace'),
    account: { id: 'acc_1', userId: 1, bot: false, strictPeers: false, faults: false },
    driver: 'none',
    method: 'help.getSupport',
    kind: 'method',
    params: {},
    acceptedAt: now,
    notAfter: now + 60_000,
    ...more,
  };
}

function claim({ id, workspaceId, account, method, params, notAfter }: WireCall): Promise<Claim> {
  const request = { workspaceId, accountId: account.id, key: 'key', method, params, notAfter };
  return claimIdempotencyKey(redis, { ...request, callId: id, processName: 'test' });
}

function aBatch(...calls: WireCall[]): CallBatch {
  return { v: 1, id: newId('call'), replyTo: STREAM, ledgerExpiresAt: Date.now() + 65_000, calls };
}

async function lastReply(): Promise<string[]> {
  const [entry] = await redis.xrevrange(STREAM, '+', '-', 'COUNT', 1);
  return entry?.[1] ?? [];
}

it.each(['shared', 'slow'] as const)(
  'a call of the %s lane that no driver runs never takes effect once its caller is told so',
  async (lane) => {
    const call = aCall();
    const batch = aBatch(call);
    await runner.run(batch, lane, moveNothing);
    expect(await lastReply()).toEqual(['7', expect.stringMatching(/^503 /)]);
    expect(await redis.hget(batchLedgerKey('', batch.id), call.id)).toBe('void');
  },
);

it('a failure for good is answered once it is recorded, and not at all while it can be neither recorded nor voided', async () => {
  const failing = { driver: 'slow', method: 'messages.readHistory' };
  const [recorded, lost] = [aCall(failing), aCall({ ...failing, number: 8 })];
  const [first, second] = [aBatch(recorded), aBatch(lost)];
  await runner.run(first, 'slow', moveNothing);
  expect(await lastReply()).toEqual(['7', expect.stringMatching(/^400 /)]);
  expect(await redis.hget(batchLedgerKey('', first.id), recorded.id)).toMatch(/^400 /);

  beforeFailure = () => redis.set(batchLedgerKey('', second.id), 'no hash');
  await runner.run(second, 'slow', moveNothing);
  expect(await lastReply()).toEqual(['7', expect.stringMatching(/^400 /)]);
});

it('its Idempotency-Key is free at once', async () => {
  const call = aCall();
  const claimed = await claim(call);
  if ('replay' in claimed) throw new Error('it was used before');
  await runner.run(aBatch({ ...call, key: claimed }), 'shared', moveNothing);
  expect(await lastReply()).toEqual(['7', expect.stringMatching(/^503 /)]);
  expect(await claim({ ...call, id: newId('call') })).toMatchObject({ claim: expect.any(String) });
});

it('every attempt under an Idempotency-Key has the random ids that its caller left out, and no other call has them', async () => {
  const params = { peer: { _: 'inputPeerSelf' }, message: 'Hello' };
  const first = aCall({ driver: 'slow', method: 'messages.sendMessage', params });
  const key = await claim(first);
  if ('replay' in key) throw new Error('it was used before');
  const attempts = [
    { ...first, key },
    { ...first, id: newId('call'), key },
  ];
  for (const call of [...attempts, { ...first, id: newId('call') }])
    await runner.run(aBatch(call), 'slow', moveNothing);
  const [one, again, other] = drawn;
  expect(drawn).toHaveLength(3);
  expect([again === one, other === one]).toEqual([true, false]);
});

it.each([
  [0, '400'],
  [1, '200'],
])(
  'a call that has pressed button %i, and is answered %s in a workspace full by then, presses it once',
  async (msgId, status) => {
    const params = { peer: { _: 'inputPeerSelf' }, msgId };
    const call = aCall({ driver: 'slow', method: 'messages.getBotCallbackAnswer', params });
    const key = await claim(call);
    if ('replay' in key) throw new Error('it was used before');
    await runner.run(aBatch({ ...call, key }), 'slow', moveNothing);
    const [, frame] = await lastReply();
    expect(frame).toMatch(new RegExp(`^${status} `));
    expect(await claim({ ...call, id: newId('call') })).toEqual({ replay: frame });
  },
);

it.each([
  [14, []],
  [320, ['cost', '20']],
])('with the reply to a call of %i changes, the API process is told %j', async (maxId, told) => {
  await runner.run(
    aBatch(aCall({ driver: 'slow', method: 'messages.deleteHistory', params: { maxId } })),
    'shared',
    moveNothing,
  );
  expect(await lastReply()).toEqual([...told, '7', expect.stringMatching(/^200 /)]);
});

it.each([
  [64, []],
  [1_024, ['cost', '8']],
])('with the reply to a call that has read %i KiB, the API process is told %j', async (limit, told) => {
  const call = aCall({ driver: 'slow', method: 'messages.search', params: { limit } });
  await runner.run(aBatch(call), 'shared', moveNothing);
  expect(await lastReply()).toEqual([...told, '7', expect.stringMatching(/^200 /)]);
});

it('the API process is told what a call has cost that is refused after its work', async () => {
  const params = { maxId: 320, revoke: true };
  const call = aCall({ driver: 'slow', method: 'messages.deleteHistory', params });
  await runner.run(aBatch(call), 'shared', moveNothing);
  expect(await lastReply()).toEqual(['cost', '20', '7', expect.stringMatching(/^403 /)]);
});

it('calls that hold the worker are answered as they get done, and not all at the end', async () => {
  const calls = Array.from({ length: 20 }, (_, number) => aCall({ driver: 'slow', number: 100 + number }));
  const before = await redis.xlen(STREAM);
  await runner.run(aBatch(...calls), 'shared', moveNothing);
  const entries = await redis.xrevrange(STREAM, '+', '-', 'COUNT', (await redis.xlen(STREAM)) - before);
  const answered = entries
    .toReversed()
    .map(([, fields]) => fields.filter((_, at) => at % 2 === 0).map(Number));
  expect(answered.flat()).toEqual(calls.map(({ number }) => number));
  // What is answered in one turn of the event loop goes out together: of these calls no more than two or three.
  expect(answered.length).toBeGreaterThan(5);
});

it('moves a call that has to wait from the lone lane to the slow lane too, but not again', async () => {
  const moved: string[] = [];
  const run = async (lane: Lane, more: Partial<CallBatch> = {}) => {
    const batch = { ...aBatch(aCall({ driver: 'slow', method: 'help.getConfig' })), ...more };
    await runner.run(batch, lane, async () => void moved.push(lane));
  };
  await run('shared');
  await run('lone');
  await run('lone', { wasLone: true });
  await run('slow', { wasLone: true });
  expect(moved).toEqual(['shared', 'lone']);
});

it('tells the API process which call it has moved to the slow lane, and of none that it could not move', async () => {
  const [moved, other] = [8, 9].map((number) =>
    aCall({ driver: 'slow', method: 'help.getConfig', number }),
  ) as [WireCall, WireCall];
  const ids: string[] = [];
  const move = async ({ id }: WireCall) => {
    if (id === other.id) throw new Error('it is not moved');
    ids.push(id);
  };
  const before = await redis.xlen(STREAM);
  await runner.run(aBatch(moved, other), 'shared', move);
  expect(ids).toEqual([moved.id]);
  expect(await redis.xlen(STREAM)).toBe(before + 1);
  expect(await lastReply()).toEqual(['-8', '']);
});

it('knows for how long the oldest call that waits for its turn has waited since it was accepted', async () => {
  const acceptedAt = Date.now() - 3_000;
  const calls = Array.from({ length: 20 }, (_, at) =>
    aCall({ driver: 'slow', ...(at === 15 ? { acceptedAt } : {}) }),
  );
  const longest = await longestWaitOf(calls, 'shared');
  expect(longest).toBeGreaterThan(2_900);
  expect(longest).toBeLessThan(10_000);
  expect(runner.oldestWaitMs).toBe(0);
});

it('counts no wait of other lanes, and none of a call that has begun', async () => {
  const acceptedAt = Date.now() - 3_600_000;
  const old = Array.from({ length: 20 }, () => aCall({ driver: 'slow', acceptedAt }));
  expect(await longestWaitOf(old, 'slow')).toBe(0);
  const moved = aCall({ driver: 'slow', method: 'help.getConfig', acceptedAt });
  const others = Array.from({ length: 20 }, () => aCall({ driver: 'slow' }));
  expect(await longestWaitOf([moved, ...others], 'shared')).toBeLessThan(1_800_000);
});

it('counts the calls of a batch that have ended no longer, while another takes long', async () => {
  let letGo: () => void = () => undefined;
  held = new Promise((resolve) => {
    letGo = resolve;
  });
  const quick = [1, 2, 3].map(() => aCall({ driver: 'slow' }));
  const long = aCall({ driver: 'slow', method: 'messages.readMentions' });
  const running = runner.run(aBatch(...quick, long), 'shared', moveNothing);
  expect(runner.running).toBe(4);
  await eventually(() => runner.running === 1);
  letGo();
  await running;
  expect(runner.running).toBe(0);
});

it('knows how many calls run by lane, and of those that callers wait for that nothing else holds up', async () => {
  const most = async (lane: Lane, look: () => number) => {
    const running = runner.run(
      aBatch(aCall({ driver: 'slow' }), aCall({ driver: 'slow' })),
      lane,
      moveNothing,
    );
    const seen = look();
    await running;
    return seen;
  };
  expect(await most('shared', () => runner.running)).toBe(2);
  expect(await most('shared', () => runner.runningIn.slow)).toBe(0);
  expect(await most('slow', () => runner.running)).toBe(0);
  expect(await most('slow', () => runner.runningIn.slow)).toBe(2);
  expect([runner.running, runner.runningIn]).toEqual([0, { shared: 0, slow: 0, lone: 0 }]);
});

async function longestWaitOf(calls: WireCall[], lane: Lane): Promise<number> {
  const seen: number[] = [];
  const looking = setInterval(() => seen.push(runner.oldestWaitMs), 1);
  await runner.run(aBatch(...calls), lane, moveNothing);
  clearInterval(looking);
  return Math.max(...seen);
}
