import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { unreadKey } from './keys.ts';

/** Notes how far others have read a conversation of a user; false if somebody had read it that far already. */
export async function noteSeen(
  { tx }: CallContext,
  userId: number,
  key: PeerKey,
  maxId: number,
): Promise<boolean> {
  const [name, field] = [unreadKey(userId), `seen:${key}`];
  const seen = await tx.observe(name, field);
  if (Number(seen ?? 0) >= maxId) return false;
  tx.hset(name, field, String(maxId));
  return true;
}
