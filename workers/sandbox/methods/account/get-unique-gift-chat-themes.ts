import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { countIssued, peersOfGifts } from '../../model/gifts/gift-objects.ts';
import { listGifts } from '../../model/gifts/gift-pages.ts';
import { toChatTheme } from '../../model/gifts/gift-themes.ts';
import type { GiftRecord } from '../../model/gifts/gifts.ts';
import { ownedGiftsKey } from '../../model/gifts/keys.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';

/**
 * The chat themes of the account's collectible gifts, newest first; `chatThemesNotModified` if `hash` is the page's hash. A gift has a
 * theme once it was transferred; the hash of an empty list is 0.
 */
export const getUniqueGiftChatThemes = defineMethod(
  'account.getUniqueGiftChatThemes',
  async (params, call) => {
    const { gifts, nextOffset } = await listGifts(call, {
      name: ownedGiftsKey(`u${call.account.userId}`, 'themes'),
      descending: true,
      offset: params.offset,
      limit: params.limit,
      wanted: () => true,
    });
    const issued = await countIssued(call);
    const hash = hashOfIds(gifts.flatMap((gift) => shownOf(gift, issued)));
    if (hash === params.hash) return { _: 'account.chatThemesNotModified' };
    const mentioned = await listMentioned(call, peersOfGifts(gifts));
    return {
      _: 'account.chatThemes',
      hash,
      themes: gifts.map((gift) => toChatTheme(gift, issued)),
      ...mentioned,
      ...(nextOffset === undefined ? {} : { nextOffset }),
    };
  },
);

// What may change of a gift that the account has.
function shownOf({ id, collectible }: GiftRecord, issued: number): (number | string)[] {
  const { stars = 0, nanoton = '0', tonOnly = false } = collectible?.resale ?? {};
  return [id, stars, nanoton, Number(tonOnly), issued];
}

export const example: Example<'account.getUniqueGiftChatThemes'> = () => ({
  offset: '',
  limit: 20,
  hash: '0',
});
