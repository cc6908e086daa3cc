import { type AcceptKey, type AsyncCallLimits, acceptCall } from '../async-calls/accept-call.ts';
import type { AsyncCall } from '../async-calls/async-call.ts';
import { forgetCallWorkspace, recordOpenCall } from '../async-calls/call-workspace.ts';
import { markDue } from '../async-calls/due-workspaces.ts';
import { endCall } from '../async-calls/end-call.ts';
import { PLACED_CHECK_MS } from '../async-calls/place-calls.ts';
import type { Logger } from '../logger.ts';
import { Problem } from '../problem.ts';
import type { RedisClock } from '../redis/clock.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { watchForRefusal } from '../redis/failure.ts';
import { STOP_CHANNEL } from '../redis/keys.ts';
import type { AsyncQueue } from './async-queue.ts';

/** Accepts and cancels async calls, for the API tier. */
export class AsyncCalls {
  private readonly redis: RedisConnection;
  private readonly queue: AsyncQueue;
  private readonly clock: RedisClock;
  private readonly limits: AsyncCallLimits;
  private readonly log: Logger;

  constructor(options: {
    redis: RedisConnection;
    queue: AsyncQueue;
    clock: RedisClock;
    limits: AsyncCallLimits;
    log: Logger;
  }) {
    this.redis = options.redis;
    this.queue = options.queue;
    this.clock = options.clock;
    this.limits = options.limits;
    this.log = options.log;
  }

  /**
   * Accepts a call. Once this resolves, the call will run even if this process dies. If a call had already been accepted under the key,
   * `replay` is the frame of its reply, else null. Throws if the call is not accepted; throws `outcome_unknown` if nobody knows and a retry
   * could make a second call.
   */
  async accept(call: AsyncCall, key: AcceptKey | null): Promise<{ replay: string | null }> {
    const { id: callId, workspaceId, messengerAccountId: accountId } = call;
    const runAt = call.scheduleAt ?? call.createdAt;
    const checkAt = Math.max(runAt, call.createdAt + PLACED_CHECK_MS);
    // Both are written before the record, so that the call is found however this process ends. At `checkAt` the record is surely there.
    await Promise.all([recordOpenCall(this.redis, call), markDue(this.redis, workspaceId, checkAt)]);
    const isRefusal = watchForRefusal(this.redis);
    const accepted = await acceptCall(this.redis, call, key, this.limits).catch(async (error) => {
      if (error instanceof Problem || isRefusal(error)) await this.forget(callId);
      // With a key, a repeated request finds out whether the call was accepted.
      else if (key === null) throw outcomeUnknown(callId, error);
      throw error;
    });
    if ('replay' in accepted) {
      await this.forget(callId);
      return { replay: accepted.replay };
    }
    // The workspace may have been checked before the record was there, and put off for longer than the call can wait.
    const marked = markDue(this.redis, workspaceId, call.scheduleAt === null ? checkAt : runAt).catch(
      (err) => {
        this.log.warn({ err, callId }, 'an async call may run late');
      },
    );
    if (accepted.isPlaced) {
      await this.queue.add([{ workspaceId, callId, accountId }]).catch((err) => {
        this.log.warn({ err, callId }, 'the job of a recorded call could not be added; it is added later');
      });
    }
    await marked;
    return { replay: null };
  }

  /** Cancels a call, and stops it if it is running. False if it had already ended. */
  async cancel(call: AsyncCall): Promise<boolean> {
    if (!(await endCall(this.redis, call, 'canceled', new Problem('canceled'), this.clock.now())))
      return false;
    await this.redis.spublish(STOP_CHANNEL, call.id);
    return true;
  }

  // If this fails, the entry expires days later.
  private async forget(callId: string): Promise<void> {
    await forgetCallWorkspace(this.redis, callId).catch(() => undefined);
  }
}

function outcomeUnknown(callId: string, cause: unknown): Problem {
  return new Problem('outcome_unknown', {
    detail: `The call may have been accepted: GET /v1/calls/${callId} to find out.`,
    cause,
  });
}
