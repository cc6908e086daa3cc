import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { PAGE_LIMITS, type ReadFrom, readUpdates, SLICE_LIMITS, type UpdateBatch } from './read-updates.ts';

/** Reads a page of updates like `readUpdates`, but in slices: neither Redis nor this process is busy for longer than one slice takes. */
export async function readUpdatesPage(
  redis: RedisConnection,
  workspaceId: string,
  from: ReadFrom,
): Promise<UpdateBatch> {
  const page = await readUpdates(redis, workspaceId, from, SLICE_LIMITS);
  let room = PAGE_LIMITS.bytes - sizeOf(page);
  while (!page.upToDate && page.entries.length < PAGE_LIMITS.entries && room > 0) {
    await nextTurn();
    const slice = await readMore(redis, workspaceId, page, room);
    // `readUpdates` returns a single update even if it is larger than the limit.
    if (slice === null || (slice.entries.length === 1 && sizeOf(slice) > room)) break;
    room -= sizeOf(slice);
    page.entries.push(...slice.entries);
    page.next = slice.next;
    page.upToDate = slice.upToDate;
  }
  return page;
}

/** Null if the following updates have been trimmed since the page began. The next page reports that. */
async function readMore(
  redis: RedisConnection,
  workspaceId: string,
  { entries, next: offset }: UpdateBatch,
  room: number,
): Promise<UpdateBatch | null> {
  const limits = {
    entries: Math.min(SLICE_LIMITS.entries, PAGE_LIMITS.entries - entries.length),
    bytes: Math.min(SLICE_LIMITS.bytes, room),
  };
  return readUpdates(redis, workspaceId, { offset }, limits).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'offset_gone') return null;
    throw error;
  });
}

function sizeOf({ entries }: UpdateBatch): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}
