import type { CallContext } from '../../driver.ts';
import type { KeptEvent } from './account-events.ts';
import { findMessages, type TlMessage } from './messages.ts';
import { eventsKey, SEQ, userBox } from './state-keys.ts';

/** One thing that happened to an account: a message that arrived, or an update. */
export type Change = KeptEvent | { pts: number; ptsCount: number; message: TlMessage };

const CHUNK = 200;

/**
 * What has happened to the calling account since `pts`, in order; null where not all of it is known any more, because messages
 * that had arrived are gone or updates were not kept.
 */
export async function findChanges(call: CallContext, pts: number, present: number): Promise<Change[] | null> {
  const [arrived, events] = await Promise.all([findArrived(call, pts), findEvents(call, pts)]);
  const changes = [...arrived, ...events].sort((a, b) => a.pts - b.pts);
  const known = changes.reduce((sum, { ptsCount }) => sum + ptsCount, 0);
  return known === present - pts ? changes : null;
}

// Ids and pts of a box grow together.
async function findArrived(call: CallContext, pts: number): Promise<Change[]> {
  const box = userBox(call.account.userId);
  const last = Number((await call.tx.read.hget(call.tx.key(SEQ), `msg:${box}`)) ?? 0);
  const arrived: Change[] = [];
  for (let top = last; top > 0; top -= CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, top) }, (_, i) => top - i);
    const found = (await findMessages(call, box, ids)).filter((one) => one !== null);
    const fresh = found.filter((one) => (one.pts ?? 0) > pts);
    arrived.push(...fresh.map((one) => ({ pts: one.pts ?? 0, ptsCount: 1, message: one.message })));
    if (fresh.length < found.length) break;
  }
  return arrived;
}

async function findEvents(call: CallContext, pts: number): Promise<Change[]> {
  const name = call.tx.key(eventsKey(call.account.userId));
  const found = await call.tx.read.zrangebyscore(name, `(${pts}`, '+inf');
  return found.map((raw) => JSON.parse(raw) as KeptEvent);
}
