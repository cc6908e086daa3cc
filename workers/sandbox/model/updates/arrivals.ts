import type { CallContext } from '../../../driver.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import { type Box, SEQ } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';

/** A message that arrived in a box. */
export interface Arrival {
  pts: number;
  ptsCount: 1;
  found: FoundMessage;
}

/** From which `pts` of a box on, and up to which, is asked what has happened. */
export interface Span {
  since: number;
  present: number;
}

const CHUNK = 200;

/** The messages that arrived in a box then and are there still. */
export async function findArrivals(
  call: CallContext,
  box: Box,
  { since }: Span,
  budget: ReadBudget,
): Promise<Arrival[]> {
  const counters = await call.tx.read.hmget(call.tx.key(SEQ), `msg:${box}`, `pts:${box}`);
  const [last = 0, pts = 0] = counters.map(Number);
  // Ids and pts of a box grow together: none of those below can have arrived since.
  const lowest = Math.max(0, last - (pts - since));
  const arrivals: Arrival[] = [];
  for (let top = last; top > lowest; top -= CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, top - lowest) }, (_, i) => top - i);
    const found = (await findMessages(call, box, ids, budget)).filter((one) => one !== null);
    const fresh = found.filter((one) => (one.pts ?? 0) > since);
    arrivals.push(...fresh.map((one) => ({ pts: one.pts ?? 0, ptsCount: 1 as const, found: one })));
    if (fresh.length < found.length || budget.left < 0) break;
  }
  return arrivals;
}

/** The events that are kept under a name from behind `since` on, in order; none where they go beyond the budget. */
export async function readEvents<Event extends { pts: number }>(
  { tx }: CallContext,
  name: string,
  since: number,
  budget: ReadBudget,
): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = since; ; after = events.at(-1)?.pts ?? after) {
    const found = await tx.read.zrangebyscore(tx.key(name), `(${after}`, '+inf', 'LIMIT', 0, CHUNK);
    for (const raw of found) budget.left -= raw.length;
    if (budget.left < 0) return [];
    events.push(...found.map((raw) => JSON.parse(raw) as Event));
    if (found.length < CHUNK) return events;
  }
}

/**
 * What happened, in order, of arrivals and events; null where not all of it is known any more. `gone` is how many messages have arrived
 * since that were deleted: their arrival is known no more, but their deletion is.
 */
export function inOrder<Change extends { pts: number; ptsCount: number }>(
  changes: Change[],
  { since, present }: Span,
  gone: number,
): Change[] | null {
  const sorted = changes.filter(({ pts }) => pts <= present).sort((a, b) => a.pts - b.pts);
  const known = sorted.reduce((sum, { ptsCount }) => sum + ptsCount, 0);
  return present - since - known <= gone ? sorted : null;
}
