import type { CallContext } from '../../../driver.ts';
import { listMentioned } from '../peers/mentioned.ts';
import { countIssued, peersOfGifts, toSavedGift } from './gift-objects.ts';
import type { GiftRecord } from './gifts.ts';

/**
 * `payments.savedStarGifts` with exactly these gifts, and the users and chats that they mention. `controlled`: whether the calling account
 * controls the gifts' owner.
 */
export async function toSavedGifts(call: CallContext, gifts: GiftRecord[], controlled: boolean) {
  const [issued, mentioned] = await Promise.all([
    countIssued(call),
    listMentioned(call, peersOfGifts(gifts)),
  ]);
  return {
    _: 'payments.savedStarGifts' as const,
    count: gifts.length,
    gifts: gifts.map((gift) => toSavedGift(gift, issued, controlled)),
    ...mentioned,
  };
}
