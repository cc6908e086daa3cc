import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { BACKDROPS, COMET, findGiftType, MODELS, PATTERNS } from '../../model/gifts/gift-catalogue.ts';
import { countWanted } from '../../model/gifts/gift-kinds.ts';
import { countAttributes, isWantedLook, readLookFilter, toLook } from '../../model/gifts/gift-looks.ts';
import { countIssued, peersOfGifts, toTlGift } from '../../model/gifts/gift-objects.ts';
import { listGifts } from '../../model/gifts/gift-pages.ts';
import { resaleKey, resaleLooksKey } from '../../model/gifts/keys.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';

/**
 * The collectible gifts of a type that are on resale: by price, by number, or else the ones whose price changed last first. Errors:
 * `STARGIFT_INVALID`, `STARGIFT_ATTRIBUTE_INVALID`, `LIMIT_INVALID`, `OFFSET_INVALID`.
 */
export const getResaleStarGifts = defineMethod('payments.getResaleStarGifts', async (params, call) => {
  const { giftId, sortByPrice, sortByNum, starsOnly, attributesHash } = params;
  if (!findGiftType(giftId)) throw new MessengerError('STARGIFT_INVALID');
  const filter = readLookFilter(params.attributes, starsOnly);
  const order = sortByPrice ? 'price' : sortByNum ? 'number' : 'changed';
  const [{ gifts, nextOffset }, countsByLook, issued] = await Promise.all([
    listGifts(call, {
      name: resaleKey(giftId, order),
      descending: order === 'changed',
      offset: params.offset,
      limit: params.limit,
      wanted: ({ collectible }) =>
        !!collectible?.resale && isWantedLook(toLook(collectible.look, collectible.resale), filter),
    }),
    call.tx.read.hgetall(call.tx.key(resaleLooksKey(giftId))),
    countIssued(call),
  ]);
  const counters = params.offset === '' ? countAttributes(countsByLook, starsOnly === true) : [];
  return {
    _: 'payments.resaleStarGifts',
    count: countWanted(countsByLook, (look) => isWantedLook(look, filter)),
    gifts: gifts.map((gift) => toTlGift(gift, issued)),
    ...(nextOffset === undefined ? {} : { nextOffset }),
    ...(attributesHash === undefined ? {} : attributesUnlessKnown(attributesHash)),
    ...(counters.length > 0 ? { counters } : {}),
    ...(await listMentioned(call, peersOfGifts(gifts))),
  };
});

// The attributes that gifts can have and their hash, unless the caller's hash says that it knows them.
function attributesUnlessKnown(known: string) {
  const attributes = [...MODELS, ...PATTERNS, ...BACKDROPS];
  const attributesHash = hashOfIds([
    ...[...MODELS, ...PATTERNS].map(({ document }) => document.id),
    ...BACKDROPS.map(({ backdropId }) => backdropId),
  ]);
  return known === attributesHash ? {} : { attributes, attributesHash };
}

export const example: Example<'payments.getResaleStarGifts'> = () => ({
  giftId: COMET.id,
  offset: '',
  limit: 20,
  sortByPrice: true,
});

export const difference = 'The catalogue of gifts is small and fixed.';
