import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { giftParams } from '../../examples/seeded-things.ts';
import { toSavedGifts } from '../../model/gifts/gift-lists.ts';
import { findOwnGift } from '../../model/gifts/input-gifts.ts';

const GIFTS_MAX = 100;

/** Gifts of the account or of channels in whose name it may post, whether shown on their profiles or not. Unknown gifts are left out. */
export const getSavedStarGift = defineMethod('payments.getSavedStarGift', async ({ stargift }, call) => {
  const found = await Promise.all(
    stargift.slice(0, GIFTS_MAX).map((input) => findOwnGift(call, input, 'STARGIFT_OWNER_INVALID')),
  );
  const gifts = found.flatMap((one) => (one ? [one.gift] : []));
  return toSavedGifts(call, gifts, true);
});

export const example: Example<'payments.getSavedStarGift'> = async (context) =>
  giftParams(
    context,
    () => true,
    (stargift) => ({ stargift: [stargift] }),
  );

export const difference = 'Only the first 100 count.';
