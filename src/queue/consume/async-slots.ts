import type { CallRef } from '../../async-calls/attempt-call.ts';
import type { CallCaps } from '../../directory/accounts.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { slotLineKey, slotsKey, slotWakeChannel } from '../../redis/keys.ts';
import { slotsScript } from '../slots-script.ts';

// All workers share one place in the line: which of them gets a call's job is chance.
const PROCESS = 'background';

// Callers ask far more often.
const GONE_MS = 1_500;

// In the line it counts as younger by this much.
const CALLERS_FIRST_MS = 30_000;

/** Slots of capped calls for async ones: callers that wait for theirs go first, for a while. */
export class AsyncSlots {
  private readonly redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.redis = redis;
  }

  /** Takes a slot for a call that could run since `runAt`, until `endsAt` at the latest; false while there is none. */
  async take(ref: CallRef, caps: CallCaps, runAt: number, endsAt: number): Promise<boolean> {
    // Its own may be left from a process that died.
    const own = [1, ref.callId];
    const wanted = [1, ...own, runAt + CALLERS_FIRST_MS, Math.ceil(endsAt)];
    const [taken] = await this.ask(ref, caps, [1, ...own, ...wanted]);
    return taken === 1;
  }

  /** Gives a call's slot back. */
  async free(ref: CallRef, caps: CallCaps): Promise<void> {
    await this.ask(ref, caps, [1, 1, ref.callId, 0]);
  }

  private async ask(
    { workspaceId, accountId }: CallRef,
    caps: CallCaps,
    what: (string | number)[],
  ): Promise<number[]> {
    const keys = [
      slotWakeChannel(workspaceId),
      ...[undefined, accountId].flatMap((id) => [slotsKey(workspaceId, id), slotLineKey(workspaceId, id)]),
    ];
    const args = [PROCESS, GONE_MS, caps.workspace ?? '', 1, caps.account ?? '', ...what];
    return (await slotsScript.run(this.redis, keys, args)) as number[];
  }
}
