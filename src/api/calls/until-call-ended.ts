import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type CallRecord, findCallRecord } from '../../async-calls/find-call.ts';
import { findTail } from '../../redis/find-tail.ts';
import { ZERO_OFFSET } from '../../updates/offset.ts';
import type { ApiDeps } from '../deps.ts';
import { callerSignal } from '../server/caller-signal.ts';

// A stream that cannot be followed for the moment.
const LOOK_AGAIN_MS = 250;

/** A kept call, and where it is kept. */
export interface AwaitedCall {
  workspaceId: string;
  id: string;
}

/**
 * A kept call once it has ended, or as it stands after `waitMs` or when its caller has gone; null when there is none. The end of a
 * call is an event of its workspace's update stream, so nothing is polled for it, and it counts as a live read: `rate_limited`
 * when the key has too many.
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
    for (;;) {
      // Before the call: what happens after it is behind this offset.
      const tail = (await findTail(directory.redis, workspaceId)) || ZERO_OFFSET;
      const find = () => findCallRecord(reads.redis, workspaceId, id);
      const call = await reads.run(request, find, { isExempt: true });
      if (call === null || call.end !== null || isOver()) return call;
      await untilEvent(tail, id);
    }
  } finally {
    followed.close();
    leave();
  }

  async function untilEvent(from: string, callId: string): Promise<void> {
    for (let offset = from; !isOver(); ) {
      await followed.waitForMore(offset, Math.max(0, until - performance.now()), signal);
      const batch = await followed.readAfter(offset).catch(() => null);
      if (batch === null) return void (await sleep(LOOK_AGAIN_MS));
      if (batch.entries.some(({ kind, json }) => kind.startsWith('call.') && json.includes(callId))) return;
      offset = batch.next;
    }
  }
}
