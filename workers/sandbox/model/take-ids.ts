import type { CallContext } from '../../driver.ts';
import { SEQ } from './state-keys.ts';

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
