import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { giftParams, isCollectible } from '../../examples/seeded-things.ts';
import { editGiftMessage } from '../../model/gifts/gift-messages.ts';
import { countIssued, peersOfGifts } from '../../model/gifts/gift-objects.ts';
import { getOwnGift } from '../../model/gifts/input-gifts.ts';
import { isSamePrice, putGift } from '../../model/gifts/put-gift.ts';
import { readResalePrice } from '../../model/gifts/resale-price.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';

/** Puts a collectible gift on resale, changes its price, or with an amount of 0 ends the resale. */
export const updateStarGiftPrice = defineMethod('payments.updateStarGiftPrice', async (params, call) => {
  const resale = readResalePrice(params.resellAmount);
  const errors = { absent: 'STARGIFT_NOT_FOUND', foreign: 'STARGIFT_OWNER_INVALID' };
  const [found, issued] = await Promise.all([
    getOwnGift(call, params.stargift, errors, { owned: true }),
    countIssued(call),
  ]);
  const { collectible } = found.gift;
  if (!collectible) throw new MessengerError('STARGIFT_NOT_UNIQUE');
  const gift = { ...found.gift, collectible: { ...collectible, resale } };
  const isChanged = !isSamePrice(collectible.resale, resale);
  if (isChanged) putGift(call, found, gift);
  const edited = isChanged ? await editGiftMessage(call, gift, issued) : null;
  return {
    _: 'updates',
    updates: edited ? [edited] : [],
    ...(await listMentioned(call, peersOfGifts([gift]))),
    date: call.date,
    seq: 0,
  };
});

export const example: Example<'payments.updateStarGiftPrice'> = (context) =>
  giftParams(context, isCollectible, (stargift) => ({
    stargift,
    resellAmount: { _: 'starsAmount', amount: '700', nanos: 0 },
  }));
