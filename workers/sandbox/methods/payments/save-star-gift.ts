import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { giftParams } from '../../examples/seeded-things.ts';
import { editGiftMessage } from '../../model/gifts/gift-messages.ts';
import { countIssued } from '../../model/gifts/gift-objects.ts';
import { getOwnGift } from '../../model/gifts/input-gifts.ts';
import { putGift } from '../../model/gifts/put-gift.ts';

/** Shows a gift on its owner's profile, or hides it. Errors: `MESSAGE_ID_INVALID`, `STARGIFT_OWNER_INVALID`. */
export const saveStarGift = defineMethod('payments.saveStarGift', async ({ stargift, unsave }, call) => {
  const errors = { absent: 'MESSAGE_ID_INVALID', foreign: 'STARGIFT_OWNER_INVALID' };
  const [found, issued] = await Promise.all([getOwnGift(call, stargift, errors), countIssued(call)]);
  const unsaved = unsave === true;
  if (found.gift.unsaved === unsaved) return true;
  const gift = { ...found.gift, unsaved };
  putGift(call, found, gift);
  await editGiftMessage(call, gift, issued);
  return true;
});

export const example: Example<'payments.saveStarGift'> = (context) =>
  giftParams(
    context,
    () => true,
    (stargift) => ({ unsave: true, stargift }),
  );
