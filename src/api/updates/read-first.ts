import { SLICE_LIMITS, type UpdateBatch } from '../../updates/read-updates.ts';
import { tooMuch } from '../limits/answer-budget.ts';
import type { UnreadReader } from '../limits/unread-bytes.ts';
import { sizeOfBatch } from './update-events.ts';

const WAIT_MS = 10_000;

/**
 * Reads what a stream of events begins with once there is room for it, which stays reserved. Throws `overloaded` where there is none for
 * ten seconds, and when the caller is gone.
 */
export async function readFirst(
  unread: UnreadReader,
  gone: AbortSignal,
  read: () => Promise<UpdateBatch>,
): Promise<UpdateBatch> {
  let signal: AbortSignal | undefined;
  for (let bytes = SLICE_LIMITS.bytes; ; ) {
    while (!unread.reserve(bytes)) {
      signal ??= AbortSignal.any([gone, AbortSignal.timeout(WAIT_MS)]);
      if (signal.aborted) throw tooMuch();
      await untilRoom(unread, bytes, signal);
    }
    const batch = await read();
    bytes = sizeOfBatch(batch);
    // A single update may be larger than what was reserved for it.
    if (unread.reserve(bytes)) return batch;
    unread.take();
  }
}

function untilRoom(unread: UnreadReader, bytes: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      signal.removeEventListener('abort', goOn);
      resolve();
    };
    signal.addEventListener('abort', goOn);
    unread.whenRoom(bytes, goOn);
  });
}
