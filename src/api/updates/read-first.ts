import { SLICE_LIMITS, sizeOf, type UpdateBatch } from '../../updates/read-updates.ts';
import { tooManyUnread } from '../limits/answer-budget.ts';
import type { UnreadReader } from '../limits/unread-bytes.ts';

const WAIT_MS = 10_000;

/** Updates that were read before a live read began. */
export interface FirstRead {
  /** Null once taken: functions that wait for the end of a live read would keep in memory what they have had in a variable. */
  batch: UpdateBatch | null;
}

/** Takes the updates out. */
export function takeFirst(first: FirstRead): UpdateBatch {
  const batch = first.batch as UpdateBatch;
  first.batch = null;
  return batch;
}

/**
 * Reads the first updates of a stream of events once there is room for them; the room stays reserved. Throws `overloaded` if there is no
 * room for ten seconds or many already wait for it, and if the caller is gone.
 */
export async function readFirst(
  unread: UnreadReader,
  gone: AbortSignal,
  read: () => Promise<UpdateBatch>,
): Promise<UpdateBatch> {
  const giveUpAt = performance.now() + WAIT_MS;
  for (let bytes = SLICE_LIMITS.bytes; ; ) {
    while (!unread.reserve(bytes)) {
      const leftMs = giveUpAt - performance.now();
      if (gone.aborted || leftMs <= 0 || unread.isCrowded) throw tooManyUnread();
      await untilRoom(unread, bytes, gone, leftMs);
    }
    const batch = await read();
    bytes = sizeOf(batch.entries);
    // A single update may be larger than what was reserved for it.
    if (unread.reserve(bytes)) return batch;
    unread.take();
  }
}

// Without `AbortSignal.any`: thousands may wait, and a combined signal takes kilobytes.
function untilRoom(unread: UnreadReader, bytes: number, gone: AbortSignal, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, waitMs);
    gone.addEventListener('abort', finish);
    unread.whenRoom(bytes, finish);
  });
}
