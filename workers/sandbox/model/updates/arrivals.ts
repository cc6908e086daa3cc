import type { CallContext } from '../../../driver.ts';
import { readingSlices } from '../../../turns/slices.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import { type Box, SEQ } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';

/** A message that arrived in a box. */
export interface Arrival {
  pts: number;
  ptsCount: 1;
  found: FoundMessage;
}

/** The range of a box's `pts` whose changes are wanted. */
export interface PtsRange {
  since: number;
  present: number;
}

/** How many messages are read at once: they may be large, and no more than these are read beyond the budget. */
export const READ_AT_ONCE = 25;

const EVENTS_AT_ONCE = 200;

/** The messages that arrived in a box in this range and still exist. */
export async function findArrivals(
  call: CallContext,
  box: Box,
  { since }: PtsRange,
  budget: ReadBudget,
): Promise<Arrival[]> {
  const counters = await call.tx.read.hmget(call.tx.key(SEQ), `msg:${box}`, `pts:${box}`);
  const [last = 0, pts = 0] = counters.map(Number);
  // Each new message raises the id by 1 and `pts` by at least 1: no message up to this id can have arrived in the range.
  const lowest = Math.max(0, last - (pts - since));
  const arrivals: Arrival[] = [];
  for (let top = last; top > lowest; top -= READ_AT_ONCE) {
    const ids = Array.from({ length: Math.min(READ_AT_ONCE, top - lowest) }, (_, i) => top - i);
    const found = (await findMessages(call, box, ids, budget)).filter((one) => one !== null);
    const fresh = found.filter((one) => (one.pts ?? 0) > since);
    arrivals.push(...fresh.map((one) => ({ pts: one.pts ?? 0, ptsCount: 1 as const, found: one })));
    if (fresh.length < found.length || budget.left < 0) break;
  }
  return arrivals;
}

/** The events kept under a name after `since`, in order; none if they exceed the budget. */
export async function readKeptEvents<Event extends { pts: number }>(
  { tx, workspaceId }: CallContext,
  name: string,
  since: number,
  budget: ReadBudget,
): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = since; ; after = events.at(-1)?.pts ?? after) {
    const found = await tx.read.zrangebyscore(tx.key(name), `(${after}`, '+inf', 'LIMIT', 0, EVENTS_AT_ONCE);
    const length = found.reduce((sum, raw) => sum + raw.length, 0);
    budget.left -= length;
    tx.charactersRead += length;
    if (budget.left < 0) return [];
    for (const raw of found) {
      await readingSlices.next(workspaceId);
      events.push(JSON.parse(raw) as Event);
    }
    if (found.length < EVENTS_AT_ONCE) return events;
  }
}

/**
 * Sorts the changes of a range by `pts`. Null if some are no longer kept, apart from the arrivals of `gone` messages that were deleted
 * since.
 */
export function sortIfComplete<Change extends { pts: number; ptsCount: number }>(
  changes: Change[],
  { since, present }: PtsRange,
  gone: number,
): Change[] | null {
  const sorted = changes.filter(({ pts }) => pts <= present).sort((a, b) => a.pts - b.pts);
  const known = sorted.reduce((sum, { ptsCount }) => sum + ptsCount, 0);
  return present - since - known <= gone ? sorted : null;
}
