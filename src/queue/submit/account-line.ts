import type { PendingCall } from './pending-call.ts';

/** The calls of an account that wait in this process for a slot. */
export interface AccountLine {
  id: string;
  cap: number | null;
  /** Oldest first. Those that have ended are removed now and then. */
  waiting: PendingCall[];
  /** When one of them last got a slot: ms since the epoch, by Redis' clock. */
  servedAt: number;
  /** Whether the account's own cap left no room when it was last asked for. Then this process is in the account's line in Redis. */
  isFull: boolean;
}

/**
 * The calls to ask slots for, the most wanted first: round robin over accounts, so that none waits behind another's many calls. At least
 * one of each account, and about `count` in all.
 */
export function offer(lines: AccountLine[], count: number): PendingCall[] {
  const offered: PendingCall[] = [];
  for (let round = 0; offered.length < count; round += 1) {
    const before = offered.length;
    for (const { waiting, cap } of lines) {
      // One call beyond the cap shows that there is no more room.
      if (cap !== null && round > cap) continue;
      const next = liveAt(waiting, round);
      if (next !== undefined) offered.push(next);
    }
    if (offered.length === before) break;
  }
  return offered;
}

// The call at an index. Those there that have ended are removed.
function liveAt(waiting: PendingCall[], index: number): PendingCall | undefined {
  let end = index;
  while (waiting[end]?.state === 'ended') end += 1;
  if (end > index) waiting.splice(index, end - index);
  return waiting[index];
}
