import type { CallContext } from '../../driver.ts';
import { type Box, SEQ } from './state-keys.ts';

/** Users, basic groups and channels count from here; lower ids are aliases of furnished things. */
const FIRST_ID = 1_000;

/**
 * The next `count` ids of users, basic groups or channels. Unlike a counter allocated in the commit they are known at once, so
 * that keys can be named by them; the commit fails if somebody else took them meanwhile.
 */
export async function takeIds(
  call: CallContext,
  kind: 'user' | 'chat' | 'channel',
  count: number,
): Promise<number[]> {
  const last = Number((await call.tx.observe(SEQ, kind)) ?? FIRST_ID - 1);
  call.tx.hset(SEQ, kind, String(last + count));
  return Array.from({ length: count }, (_, i) => last + 1 + i);
}

/**
 * The next message id of a box. Unlike one allocated in the commit it is known at once, so that a key can be named by it; the
 * commit fails if somebody else's message came first.
 */
export async function takeMessageId(call: CallContext, box: Box): Promise<number> {
  const last = Number((await call.tx.observe(SEQ, `msg:${box}`)) ?? 0);
  call.tx.hset(SEQ, `msg:${box}`, String(last + 1));
  return last + 1;
}
