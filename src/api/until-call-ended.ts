import { setTimeout as sleep } from 'node:timers/promises';
import { findTail } from '../redis/find-tail.ts';
import { findCall, type KeptCall } from '../store/async-calls/find-call.ts';
import { ZERO_OFFSET } from '../updates/offset.ts';
import type { ApiDeps } from './deps.ts';

// A stream that cannot be followed for the moment.
const LOOK_AGAIN_MS = 250;

/**
 * A kept call once it has ended, or as it stands after `waitMs` or at `signal`; null when there is none. The end of a call is an
 * event of its workspace's update stream, so nothing is polled for it.
 */
export async function untilCallEnded(
  { directory, updates }: Pick<ApiDeps, 'directory' | 'updates'>,
  workspaceId: string,
  id: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<KeptCall | null> {
  const until = performance.now() + waitMs;
  const isOver = () => performance.now() >= until || signal.aborted || updates.signal.aborted;
  const followed = updates.follow(workspaceId);
  try {
    for (;;) {
      // Before the call: what happens after it is behind this offset.
      const tail = (await findTail(directory.redis, workspaceId)) || ZERO_OFFSET;
      const call = await findCall(directory.redis, workspaceId, id);
      if (call === null || call.end !== null || isOver()) return call;
      await untilEvent(tail, id);
    }
  } finally {
    followed.close();
  }

  async function untilEvent(from: string, callId: string): Promise<void> {
    for (let offset = from; !isOver(); ) {
      await followed.untilBehind(offset, Math.max(0, until - performance.now()), signal);
      const batch = await followed.readBehind(offset).catch(() => null);
      if (batch === null) return void (await sleep(LOOK_AGAIN_MS));
      if (batch.entries.some(({ kind, json }) => kind.startsWith('call.') && json.includes(callId))) return;
      offset = batch.next;
    }
  }
}
