import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { attributesOf } from './gift-catalogue.ts';
import { toTlGift } from './gift-objects.ts';
import type { GiftRecord } from './gifts.ts';

type ThemeSettings = TlJson<tl.RawThemeSettings>;

/** The chat theme of a collectible gift: a light and a dark one, in the colors of its backdrop. */
export function toChatTheme(gift: GiftRecord, issued: number): TlJson<tl.RawChatThemeUniqueGift> {
  if (!gift.collectible) throw new TypeError('a plain gift has no theme');
  const [, , { centerColor, edgeColor }] = attributesOf(gift.collectible.look);
  const colors = { messageColors: [centerColor, edgeColor], outboxAccentColor: edgeColor };
  const themeSettings: ThemeSettings[] = [
    { _: 'themeSettings', baseTheme: { _: 'baseThemeClassic' }, accentColor: centerColor, ...colors },
    { _: 'themeSettings', baseTheme: { _: 'baseThemeNight' }, accentColor: edgeColor, ...colors },
  ];
  return { _: 'chatThemeUniqueGift', gift: toTlGift(gift, issued), themeSettings };
}
