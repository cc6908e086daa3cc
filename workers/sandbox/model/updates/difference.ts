import type { CallContext } from '../../../driver.ts';
import { findMessages, type TlMessage } from '../boxes/messages.ts';
import { SEQ, userBox } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import type { KeptEvent } from '../people/account-events.ts';
import { eventsKey } from '../people/keys.ts';

/** One thing that happened to an account: a message that arrived, or an update. */
export type Change = KeptEvent | { pts: number; ptsCount: number; message: TlMessage };

const CHUNK = 200;
const READ_CHARACTERS = 4 * 1024 * 1024;

/**
 * What has happened to the calling account since `pts`, in order, but for messages that arrived and are deleted by now; null where not
 * all of it is known any more, because updates were not kept, or it is more than one call reads.
 */
export async function findChanges(call: CallContext, pts: number, present: number): Promise<Change[] | null> {
  const budget = { left: READ_CHARACTERS };
  const [arrived, events] = await Promise.all([
    findArrived(call, pts, budget),
    findEvents(call, pts, budget),
  ]);
  if (budget.left < 0) return null;
  const changes: Change[] = [...arrived, ...events].sort((a, b) => a.pts - b.pts);
  const known = changes.reduce((sum, { ptsCount }) => sum + ptsCount, 0);
  const missing = present - pts - known;
  return missing <= countDeleted(events) ? changes : null;
}

// Their own arrival is known no more, but their deletion is.
function countDeleted(events: readonly KeptEvent[]): number {
  const deleted = events.flatMap(({ update }) =>
    update._ === 'updateDeleteMessages' ? update.messages : [],
  );
  return new Set(deleted).size;
}

// Ids and pts of a box grow together.
async function findArrived(call: CallContext, pts: number, budget: ReadBudget): Promise<Change[]> {
  const box = userBox(call.account.userId);
  const last = Number((await call.tx.read.hget(call.tx.key(SEQ), `msg:${box}`)) ?? 0);
  const arrived: Change[] = [];
  for (let top = last; top > 0; top -= CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, top) }, (_, i) => top - i);
    const found = (await findMessages(call, box, ids, budget)).filter((one) => one !== null);
    const fresh = found.filter((one) => (one.pts ?? 0) > pts);
    arrived.push(...fresh.map((one) => ({ pts: one.pts ?? 0, ptsCount: 1, message: one.message })));
    if (fresh.length < found.length || budget.left < 0) break;
  }
  return arrived;
}

async function findEvents(call: CallContext, pts: number, budget: ReadBudget): Promise<KeptEvent[]> {
  const name = call.tx.key(eventsKey(call.account.userId));
  const events: KeptEvent[] = [];
  for (let after = pts; ; after = events.at(-1)?.pts ?? after) {
    const found = await call.tx.read.zrangebyscore(name, `(${after}`, '+inf', 'LIMIT', 0, CHUNK);
    for (const raw of found) budget.left -= raw.length;
    if (budget.left < 0) return [];
    events.push(...found.map((raw) => JSON.parse(raw) as KeptEvent));
    if (found.length < CHUNK) return events;
  }
}
