import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import {
  PAGE_LIMITS,
  type ReadFrom,
  readUpdates,
  SLICE_LIMITS,
  sizeOf,
  type UpdateBatch,
} from './read-updates.ts';

/**
 * Reads a page of updates like `readUpdates`, but in slices: neither Redis nor this process is busy for longer than one slice takes. Throws
 * `offset_gone` as `readUpdates` does.
 */
export async function readUpdatesPage(
  redis: RedisConnection,
  workspaceId: string,
  from: ReadFrom,
): Promise<UpdateBatch> {
  const page = await readUpdates(redis, workspaceId, from, SLICE_LIMITS);
  let bytesLeft = PAGE_LIMITS.bytes - sizeOf(page.entries);
  while (!page.upToDate && page.entries.length < PAGE_LIMITS.entries && bytesLeft > 0) {
    await nextTurn();
    const slice = await readSlice(redis, workspaceId, page, bytesLeft);
    if (slice === null) break;
    const bytes = sizeOf(slice.entries);
    // A single update is read even if it exceeds the limit. It does not fit this page, and begins the next one.
    if (slice.entries.length === 1 && bytes > bytesLeft) break;
    bytesLeft -= bytes;
    page.entries.push(...slice.entries);
    page.next = slice.next;
    page.upToDate = slice.upToDate;
  }
  return page;
}

/** The updates behind a page. Null if they have been trimmed since the page began: the next page reports that. */
async function readSlice(
  redis: RedisConnection,
  workspaceId: string,
  { entries, next: offset }: UpdateBatch,
  bytesLeft: number,
): Promise<UpdateBatch | null> {
  const limits = {
    entries: Math.min(SLICE_LIMITS.entries, PAGE_LIMITS.entries - entries.length),
    bytes: Math.min(SLICE_LIMITS.bytes, bytesLeft),
  };
  return readUpdates(redis, workspaceId, { offset }, limits).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'offset_gone') return null;
    throw error;
  });
}
