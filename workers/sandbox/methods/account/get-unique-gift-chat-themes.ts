import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { countIssued, peersOfGifts } from '../../model/gifts/gift-objects.ts';
import { listGifts } from '../../model/gifts/gift-pages.ts';
import { toChatTheme } from '../../model/gifts/gift-themes.ts';
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
    const hash = hashOfIds(gifts.flatMap(({ id, collectible }) => [id, collectible?.resale?.stars ?? 0]));
    if (hash === params.hash) return { _: 'account.chatThemesNotModified' };
    const [issued, mentioned] = await Promise.all([
      countIssued(call),
      listMentioned(call, peersOfGifts(gifts)),
    ]);
    return {
      _: 'account.chatThemes',
      hash,
      themes: gifts.map((gift) => toChatTheme(gift, issued)),
      ...mentioned,
      ...(nextOffset === undefined ? {} : { nextOffset }),
    };
  },
);

export const example: Example<'account.getUniqueGiftChatThemes'> = () => ({
  offset: '',
  limit: 20,
  hash: '0',
});
