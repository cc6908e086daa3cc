import type { CallContext } from '../../../driver.ts';
import { findGifts } from './gifts.ts';
import { ownedGiftsKey } from './keys.ts';
import { removeGift } from './put-gift.ts';

const GIFTS_AT_ONCE = 5;

/** Takes from a user the gifts it owns. False where it had more than this commit takes. */
export async function forgetGifts(call: CallContext, userId: number): Promise<boolean> {
  const name = call.tx.key(ownedGiftsKey(`u${userId}`, 'came'));
  const ids = await call.tx.read.zrange(name, '0', String(GIFTS_AT_ONCE));
  const found = await findGifts(call, ids.slice(0, GIFTS_AT_ONCE));
  for (const gift of found) if (gift) removeGift(call, gift);
  return ids.length <= GIFTS_AT_ONCE;
}
