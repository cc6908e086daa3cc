import type { UpdateBatch } from '../../updates/read-updates.ts';

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
