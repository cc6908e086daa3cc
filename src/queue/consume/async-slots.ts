import type { CallRef } from '../../async-calls/attempt-call.ts';
import type { CallCaps } from '../../directory/accounts.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { slotLineKey, slotsKey, slotWakeChannel } from '../../redis/keys.ts';
import { ASYNC_WAITER, slotsScript, TAKEN } from '../slots-script.ts';

// API processes ask far more often.
const GONE_MS = 1_500;

// An async call waits for a slot as if it had been accepted this much later.
const CALLERS_FIRST_MS = 30_000;

/** Takes slots for async calls under a cap. Sync calls go first, for up to 30 s. */
export class AsyncSlots {
  private readonly redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /** Takes a slot for a call that was due at `runAt`; the slot expires at `endsAt`. False if none is free. */
  async take(ref: CallRef, caps: CallCaps, runAt: number, endsAt: number): Promise<boolean> {
    // Gives back the call's own slot first: a process that died may have left it.
    const own = [1, ref.callId];
    const since = runAt + CALLERS_FIRST_MS;
    const [taken] = await this.ask(ref, caps, [1, ...own, 1, ...own, since, since, Math.ceil(endsAt)]);
    return taken === TAKEN;
  }

  /** Gives a call's slot back. */
  async free(ref: CallRef, caps: CallCaps): Promise<void> {
    await this.ask(ref, caps, [1, 1, ref.callId, 0]);
  }

  private async ask(
    { workspaceId, accountId, callId }: CallRef,
    caps: CallCaps,
    what: (string | number)[],
  ): Promise<number[]> {
    const keys = [
      slotWakeChannel(workspaceId),
      ...[undefined, accountId].flatMap((id) => [slotsKey(workspaceId, id), slotLineKey(workspaceId, id)]),
    ];
    const args = [`${ASYNC_WAITER}:${callId}`, GONE_MS, caps.workspace ?? '', 1, caps.account ?? '', ...what];
    return (await slotsScript.run(this.redis, keys, args)) as number[];
  }
}
