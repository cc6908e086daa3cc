import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type CallRecord, findCallRecord } from '../../async-calls/find-call.ts';
import { findTail } from '../../redis/find-tail.ts';
import { ZERO_OFFSET } from '../../updates/offset.ts';
import type { UpdateEntry } from '../../updates/update-entry.ts';
import type { ApiDeps } from '../deps.ts';
import { callerSignal } from '../server/caller-signal.ts';

// Pause after a stream could not be read.
const RETRY_MS = 250;

const CALL_ID = '"callId":"';

/** An async call, by its workspace and id. */
export interface AwaitedCall {
  workspaceId: string;
  id: string;
}

/**
 * Resolves with an async call once it has ended, or as it is after `waitMs`; null if there is none or the caller is gone. The
 * end of a call is an event on the update stream, so nothing polls. The wait counts as a live read: throws `rate_limited` if the key has
 * too many.
 */
export async function untilCallEnded(
  { directory, updates, reads }: Pick<ApiDeps, 'directory' | 'updates' | 'reads'>,
  request: FastifyRequest,
  { workspaceId, id }: AwaitedCall,
  waitMs: number,
): Promise<CallRecord | null> {
  const until = performance.now() + waitMs;
  const signal = callerSignal(request);
  const isOver = () => performance.now() >= until || signal.aborted || updates.signal.aborted;
  const leave = reads.live.take(request.principal);
  const followed = updates.follow(workspaceId, (name, read) =>
    reads.run(request, read, { name, isExempt: true }),
  );
  try {
    while (!signal.aborted) {
      // Read the tail before the call's record: if the call has not ended there, its end is an event after this offset.
      const tail = (await findTail(directory.redis, workspaceId)) || ZERO_OFFSET;
      const find = () => findCallRecord(reads.redis, workspaceId, id);
      const call = await reads.run(request, find, { isExempt: true });
      if (call === null || call.end !== null || isOver()) return call;
      await untilEvent(tail);
    }
    return null;
  } finally {
    followed.close();
    leave();
  }

  async function untilEvent(from: string): Promise<void> {
    const isWanted = ({ kind, json }: UpdateEntry) => kind.startsWith('call.') && isOfCall(json, id);
    for (let offset = from; !isOver(); ) {
      const timeoutMs = Math.max(0, until - performance.now());
      offset = await followed.waitFor(offset, { isWanted, timeoutMs, signal });
      const batch = await followed.readAfter(offset).catch(() => null);
      if (batch === null) return void (await sleep(RETRY_MS));
      if (batch.entries.some(isWanted)) return;
      offset = batch.next;
    }
  }
}

// Without parsing the event: thousands may wait, and its result may have 64 KiB. The call's id comes before that.
function isOfCall(event: string, callId: string): boolean {
  const at = event.indexOf(CALL_ID);
  return at !== -1 && event.startsWith(callId, at + CALL_ID.length);
}
