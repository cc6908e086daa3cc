import { randomInt } from 'node:crypto';
import type { CallContext } from '../../../driver.ts';
import { type Box, SEQ } from './keys.ts';

/**
 * The first id of each kind. The ranges do not overlap, for clients that keep users, basic groups and channels in one place. Lower ids are
 * aliases of seeded objects.
 */
const FIRST_IDS = { user: 1_000, chat: 1_000_000_000, channel: 2_000_000_000, collectible: 1_000 };

/** Whether an id of a basic group or a channel is that of a channel. */
export function isChannelId(id: number): boolean {
  return id >= FIRST_IDS.channel;
}

// One of this many next ids is taken at random, so that concurrent creations rarely conflict.
const SPREAD = 32;

/** Ids of one kind: the field of `seq` that counts them, and the hash of the records they are the ids of. */
export interface IdKind {
  counter: keyof typeof FIRST_IDS;
  records: string;
}

/**
 * Takes the next `count` ids of users, basic groups or channels, or numbers of collectible gifts; there may be gaps. Unlike a counter
 * allocated in the commit, they are known at once, so that keys can be named by them. Their objects have to be created in this commit,
 * which fails if another call took the same ids.
 */
export async function takeIds(
  call: CallContext,
  { counter, records }: IdKind,
  count: number,
): Promise<number[]> {
  const { tx } = call;
  const given = Number((await tx.read.hget(tx.key(SEQ), counter)) ?? 0);
  const first = FIRST_IDS[counter] + given + count * randomInt(SPREAD);
  const ids = Array.from({ length: count }, (_, i) => first + i);
  for (const id of ids) tx.expectField(records, id, null);
  tx.allocate(SEQ, counter, count * SPREAD);
  return ids;
}

/**
 * Takes the next message id of a box. Unlike an id allocated in the commit, it is known at once, so that a key can be named by it. The
 * commit fails if another message came first.
 */
export async function takeMessageId(call: CallContext, box: Box): Promise<number> {
  const last = Number((await call.tx.observe(SEQ, `msg:${box}`)) ?? 0);
  call.tx.hset(SEQ, `msg:${box}`, String(last + 1));
  return last + 1;
}
