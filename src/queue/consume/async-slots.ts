import type { CallRef } from '../../async-calls/attempt-call.ts';
import type { CallCaps } from '../../directory/accounts.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { slotLineKey, slotsKey, slotWakeChannel } from '../../redis/keys.ts';
import { ASYNC_WAITER, slotsScript, TAKEN } from '../slots-script.ts';

// An async call waits for a slot as if it had been accepted this much later.
const CALLERS_FIRST_MS = 30_000;

/** Takes slots for async calls under a cap. Sync calls go first, for up to 30 s. */
export class AsyncSlots {
  private readonly redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /**
   * Takes a slot for a call that was due at `runAt`; the slot expires at `endsAt`. False if none is free: the call keeps its place in the
   * line if it asks again within `pauseMs`.
   */
  async take(
    ref: CallRef,
    caps: CallCaps,
    { runAt, endsAt, pauseMs }: { runAt: number; endsAt: number; pauseMs: number },
  ): Promise<boolean> {
    // Gives back the call's own slot first: a process that died may have left it.
    const own = [1, ref.callId];
    const since = runAt + CALLERS_FIRST_MS;
    const wanted = [1, ...own, since, since, Math.ceil(endsAt)];
    const [taken] = await this.ask(ref, caps, pauseMs, [1, ...own, ...wanted]);
    return taken === TAKEN;
  }

  /** Gives a call's slot back. */
  async free(ref: CallRef, caps: CallCaps): Promise<void> {
    await this.ask(ref, caps, 0, [1, 1, ref.callId, 0]);
  }

  private async ask(
    { workspaceId, accountId, callId }: CallRef,
    caps: CallCaps,
    pauseMs: number,
    what: (string | number)[],
  ): Promise<number[]> {
    const keys = [
      slotWakeChannel(workspaceId),
      ...[undefined, accountId].flatMap((id) => [slotsKey(workspaceId, id), slotLineKey(workspaceId, id)]),
    ];
    const args = [`${ASYNC_WAITER}:${callId}`, pauseMs, caps.workspace ?? '', 1, caps.account ?? '', ...what];
    return (await slotsScript.run(this.redis, keys, args)) as number[];
  }
}
