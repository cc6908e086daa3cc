import type { CallContext } from '../../../driver.ts';
import type { Forgetting } from '../common/forget.ts';
import type { PeerKey } from '../common/keys.ts';
import { findGifts } from './gifts.ts';
import { giftKindsKey, giftMessagesKey, ownedGiftsKey } from './keys.ts';
import { removeGift } from './put-gift.ts';

const GIFTS_AT_ONCE = 5;

export const gifts: Forgetting = {
  ownKeys: (userId) => [[giftMessagesKey(userId), 'h']],
  forget: (call, userId) => forgetGifts(call, `u${userId}`),
  channelKeys: (channelId) => [[giftKindsKey(`c${channelId}`), 'h']],
  forgetChannel: (call, channelId) => forgetGifts(call, `c${channelId}`),
};

async function forgetGifts(call: CallContext, owner: PeerKey): Promise<boolean> {
  const name = call.tx.key(ownedGiftsKey(owner, 'came'));
  const ids = await call.tx.read.zrange(name, '0', String(GIFTS_AT_ONCE));
  const found = await findGifts(call, ids.slice(0, GIFTS_AT_ONCE));
  for (const gift of found) if (gift) removeGift(call, gift);
  return ids.length <= GIFTS_AT_ONCE;
}
