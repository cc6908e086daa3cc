import { COMET } from '../model/gifts/gift-catalogue.ts';
import { findGifts, type GiftRecord } from '../model/gifts/gifts.ts';
import { ownedGiftsKey } from '../model/gifts/keys.ts';
import { getShownInvoice } from '../model/payments/invoices.ts';
import { requestedInfoKey } from '../model/payments/keys.ts';
import { toFormId } from '../model/payments/payment-forms.ts';
import { savedInfoOf } from '../seed/payments.ts';
import { type Examples, type Exemplar, SELF } from './example.ts';
import { peerUser } from './input-peers.ts';

const INVOICE = { _: 'inputInvoiceMessage', peer: SELF, msgId: 1 } as const;

/** Examples of payments and star gifts. */
export const paymentExamples: Examples = {
  'payments.getPaymentForm': () => ({ invoice: INVOICE }),
  'payments.validateRequestedInfo': ({ self }) => ({ invoice: INVOICE, info: savedInfoOf(self), save: true }),
  'payments.sendPaymentForm': async (exemplar) => {
    const { call, self } = exemplar;
    const [{ record }, validated] = await Promise.all([
      getShownInvoice(call, INVOICE),
      call.tx.read.hkeys(call.tx.key(requestedInfoKey(self.id))),
    ]);
    const [requestedInfoId] = validated;
    if (requestedInfoId === undefined) return null;
    const data = { _: 'dataJSON', data: '{"last4":"4242"}' } as const;
    return {
      formId: toFormId(call, record),
      invoice: INVOICE,
      requestedInfoId,
      credentials: { _: 'inputPaymentCredentials', data },
    };
  },
  'payments.getSavedInfo': () => ({}),
  'payments.clearSavedInfo': () => ({ credentials: true, info: true }),
  'payments.getStarsRevenueAdsAccountUrl': async (exemplar) => ({
    peer: await peerUser(exemplar, 'botId'),
  }),
  'payments.getSavedStarGifts': () => ({ peer: SELF, offset: '', limit: 20 }),
  'payments.getSavedStarGift': async (exemplar) =>
    ofGift(
      exemplar,
      () => true,
      (stargift) => ({ stargift: [stargift] }),
    ),
  'payments.saveStarGift': (exemplar) =>
    ofGift(
      exemplar,
      () => true,
      (stargift) => ({ unsave: true, stargift }),
    ),
  'payments.transferStarGift': async (exemplar) => {
    const toId = await peerUser(exemplar, 'contactId');
    return ofGift(exemplar, isCollectible, (stargift) => ({ stargift, toId }));
  },
  'payments.updateStarGiftPrice': (exemplar) =>
    ofGift(exemplar, isCollectible, (stargift) => ({
      stargift,
      resellAmount: { _: 'starsAmount', amount: '700', nanos: 0 },
    })),
  'payments.getResaleStarGifts': () => ({ giftId: COMET.id, offset: '', limit: 20, sortByPrice: true }),
};

function isCollectible({ collectible }: GiftRecord): boolean {
  return collectible !== null;
}

type InputGift = { _: 'inputSavedStarGiftUser'; msgId: number };

// The oldest of the account's gifts that fits.
async function ofGift<Params>(
  { call, self }: Exemplar,
  fits: (gift: GiftRecord) => boolean,
  toParams: (stargift: InputGift) => Params,
): Promise<Params | null> {
  const ids = await call.tx.read.zrange(call.tx.key(ownedGiftsKey(`u${self.id}`, 'came')), '0', '19');
  const found = await findGifts(call, ids);
  const gift = found.find((one) => one !== null && fits(one.gift))?.gift;
  return gift ? toParams({ _: 'inputSavedStarGiftUser', msgId: gift.message.id }) : null;
}
