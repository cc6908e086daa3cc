import { newId } from '../../../src/ids.ts';
import { openLogger } from '../../../src/logger.ts';
import type { Caller, CallRequest, CallStages, PendingCall } from '../../../src/queue/submit/pending-call.ts';
import { PendingCalls, type PendingCallsOptions } from '../../../src/queue/submit/pending-calls.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';

/** The calls that someone waits for, with nothing behind them but what a test puts there. */
export class TestCalls {
  readonly calls: PendingCalls;
  /** Those that were opened, with what they were answered. */
  readonly opened: { pending: PendingCall; answer: Promise<unknown> }[] = [];

  /** Every call is admitted, and no data are ever lost, but for what `more` says. */
  constructor(
    redis: RedisConnection,
    clock: RedisClock,
    stages: Partial<CallStages> = {},
    more: Partial<Pick<PendingCallsOptions, 'admission' | 'isLostSince'>> = {},
  ) {
    const ignore = () => undefined;
    const nothing = { capped: ignore, queued: ignore, moved: ignore, ended: ignore };
    this.calls = new PendingCalls({
      redis,
      clock,
      log: openLogger({ LOG_LEVEL: 'silent' }, 'test'),
      admission: { enter: () => null, leave: ignore, leaveTurn: ignore },
      workers: { isMissing: false },
      isLostSince: async () => false,
      stages: { ...nothing, ...stages },
      ...more,
    });
  }

  /** Opens a call; its answer is its reply or its problem. */
  open(more: Partial<CallRequest> = {}, caller?: Caller): PendingCall {
    const answer = this.calls.open(aRequest(more), caller).catch((problem) => problem);
    const pending = [...this.calls.values()].at(-1) as PendingCall;
    this.opened.push({ pending, answer });
    return pending;
  }

  /** The reply or the problem of a call. */
  answerOf(pending: PendingCall): Promise<unknown> {
    return this.opened.find((one) => one.pending === pending)?.answer as Promise<unknown>;
  }
}

/** A clock that goes by Redis' time and asks no more, once it has had a quick answer: by a late one it would be wrong. */
export async function aClock(redis: RedisConnection): Promise<RedisClock> {
  const clock = new RedisClock(redis);
  let askedAt: number;
  do {
    askedAt = performance.now();
    await clock.start();
    clock.stop();
  } while (performance.now() - askedAt > 100);
  return clock;
}

/** A call of a new workspace. */
export function aRequest(more: Partial<CallRequest> = {}): CallRequest {
  return {
    id: newId('call'),
    workspaceId: newId('workspace'),
    organizationId: newId('organization'),
    account: { id: newId('messengerAccount'), userId: 1, bot: false, strictPeers: false, faults: false },
    driver: 'sandbox',
    method: 'help.getSupport',
    kind: 'method',
    params: {},
    lane: 'shared',
    bytes: 100,
    timeoutMs: 60_000,
    caps: null,
    idempotencyKey: null,
    ...more,
  };
}
