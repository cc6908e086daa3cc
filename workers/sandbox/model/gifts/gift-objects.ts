import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { type PeerKey, SEQ } from '../common/keys.ts';
import { attributesOf, type GiftType, giftTypeOf } from './gift-catalogue.ts';
import { giftSticker } from './gift-stickers.ts';
import type { Collectible, GiftRecord, ResalePrice } from './gifts.ts';
import { worthOf } from './put-gift.ts';

export type TlGift = TlJson<tl.RawStarGift> | TlJson<tl.RawStarGiftUnique>;

type Peer = TlJson<tl.TypePeer>;

// A Star's worth in US cents, as Telegram sells them.
const CENTS_PER_STAR = 1.3;

/** How many collectible gifts were issued; each of them shows this number. */
export async function countIssued(call: CallContext): Promise<number> {
  return Number((await call.tx.read.hget(call.tx.key(SEQ), 'issued')) ?? 0);
}

/** The address of a collectible gift, without the site. */
export function slugOf(typeId: string, { number }: Pick<Collectible, 'number'>): string {
  return `${giftTypeOf({ typeId }).title}-${number}`;
}

/** The number in the address of a collectible gift; null for any other text. */
export function numberOfSlug(slug: string): string | null {
  return /^Comet-(\d{1,9})$/i.exec(slug)?.[1] ?? null;
}

/** The gift as a TL object. */
export function toTlGift(gift: GiftRecord, issued: number): TlGift {
  const type = giftTypeOf(gift);
  return gift.collectible ? toUnique(gift, gift.collectible, type, issued) : toPlain(type, issued);
}

/** A gift in the list of its owner's gifts. Only accounts that control the owner see its id and possible actions. */
export function toSavedGift(
  gift: GiftRecord,
  issued: number,
  controlled: boolean,
): TlJson<tl.RawSavedStarGift> {
  const { fromId, date, text, owner, message, unsaved, collectible } = gift;
  const { convertStars, upgradeStars } = giftTypeOf(gift);
  return {
    _: 'savedStarGift',
    ...(unsaved ? { unsaved: true } : {}),
    ...(fromId === null ? {} : { fromId: { _: 'peerUser', userId: fromId } }),
    date,
    gift: toTlGift(gift, issued),
    ...(text === null ? {} : { message: { _: 'textWithEntities', text, entities: [] } }),
    ...(controlled && !owner.startsWith('c') ? { msgId: message.id } : {}),
    ...(controlled && owner.startsWith('c') ? { savedId: gift.id } : {}),
    ...(controlled && !collectible ? { convertStars: `${convertStars}` } : {}),
    ...(!collectible && upgradeStars !== null ? { canUpgrade: true } : {}),
    ...(collectible ? { giftNum: collectible.number } : {}),
  };
}

/** A resale price as TL objects: in Stars and in TON. */
export function toTlPrices({ stars, nanoton }: ResalePrice): TlJson<tl.TypeStarsAmount>[] {
  return [
    { _: 'starsAmount', amount: `${stars}`, nanos: 0 },
    { _: 'starsTonAmount', amount: nanoton },
  ];
}

/** A peer, given by its key, as a TL object. */
export function peerOfKey(key: PeerKey): Peer {
  const id = Number(key.slice(1));
  if (key.startsWith('u')) return { _: 'peerUser', userId: id };
  return key.startsWith('g') ? { _: 'peerChat', chatId: id } : { _: 'peerChannel', channelId: id };
}

/** The peers that gifts mention. */
export function peersOfGifts(gifts: readonly GiftRecord[]): Peer[] {
  return gifts.flatMap(({ owner, fromId, collectible }) => {
    const { senderId = null, recipientId = null } = collectible?.original ?? {};
    const users = [fromId, senderId, recipientId].filter((id): id is number => id !== null);
    return [peerOfKey(owner), ...users.map((userId): Peer => ({ _: 'peerUser', userId }))];
  });
}

function toPlain(type: GiftType, issued: number): TlJson<tl.RawStarGift> {
  const { id, title, stars, convertStars, upgradeStars, availabilityTotal: total } = type;
  return {
    _: 'starGift',
    id,
    sticker: giftSticker(title, 0xf2c14e),
    stars: `${stars}`,
    convertStars: `${convertStars}`,
    title,
    ...(upgradeStars === null ? {} : { upgradeStars: `${upgradeStars}` }),
    ...(total === null
      ? {}
      : { limited: true, availabilityTotal: total, availabilityRemains: Math.max(0, total - issued) }),
  };
}

function toUnique(
  gift: GiftRecord,
  collectible: Collectible,
  { title, availabilityTotal }: GiftType,
  issued: number,
): TlJson<tl.RawStarGiftUnique> {
  const { id, typeId, owner } = gift;
  const { number, look, original, hasTheme, resale } = collectible;
  const { senderId, recipientId, date } = original;
  const cents = Math.round(worthOf(gift) * CENTS_PER_STAR);
  return {
    _: 'starGiftUnique',
    ...(hasTheme ? { themeAvailable: true } : {}),
    ...(resale?.tonOnly ? { resaleTonOnly: true } : {}),
    id,
    giftId: typeId,
    title,
    slug: slugOf(typeId, collectible),
    num: number,
    ownerId: peerOfKey(owner),
    attributes: [
      ...attributesOf(look),
      {
        _: 'starGiftAttributeOriginalDetails',
        ...(senderId === null ? {} : { senderId: { _: 'peerUser', userId: senderId } }),
        recipientId: { _: 'peerUser', userId: recipientId },
        date,
      },
    ],
    availabilityIssued: issued,
    availabilityTotal: availabilityTotal ?? issued,
    ...(resale ? { resellAmount: toTlPrices(resale) } : {}),
    valueAmount: `${cents}`,
    valueCurrency: 'USD',
    valueUsdAmount: `${cents}`,
  };
}
