import type { CallContext } from '../../../driver.ts';
import { SEQ } from '../common/keys.ts';
import { giftTypeOf } from './gift-catalogue.ts';
import { toKind } from './gift-kinds.ts';
import { toLook } from './gift-looks.ts';
import type { FoundGift, GiftRecord, ResalePrice } from './gifts.ts';
import {
  COLLECTIBLES,
  GIFTS,
  giftKindsKey,
  giftMessagesKey,
  ownedGiftsKey,
  resaleKey,
  resaleLooksKey,
} from './keys.ts';

// Numbers stay far below this, so that a price and a number are one score that no other gift has.
const NUMBERS_MAX = 2 ** 24;

/** Stores a gift, new (`before` null) or in place of what it was, and updates every list it is in. */
export function putGift(call: CallContext, before: FoundGift | null, gift: GiftRecord): void {
  const { tx } = call;
  if (before) tx.expectField(GIFTS, gift.id, before.raw);
  tx.hset(GIFTS, gift.id, gift);
  if (!before && gift.collectible) tx.hset(COLLECTIBLES, gift.collectible.number, gift.id);
  const old = before?.gift ?? null;
  if (old?.owner !== gift.owner) {
    if (old) removeFromOwner(call, old);
    own(call, gift);
  } else if (toKind(old) !== toKind(gift)) {
    tx.hincrby(giftKindsKey(gift.owner), toKind(old), -1);
    tx.hincrby(giftKindsKey(gift.owner), toKind(gift), 1);
  }
  putOnResale(call, old, gift);
}

function own({ tx }: CallContext, gift: GiftRecord): void {
  const { id, owner, collectible, message } = gift;
  const came = tx.allocate(SEQ, 'gift');
  tx.zadd(ownedGiftsKey(owner, 'came'), came, id);
  tx.zadd(ownedGiftsKey(owner, 'value'), worthOf(gift), id);
  if (collectible?.hasTheme) tx.zadd(ownedGiftsKey(owner, 'themes'), came, id);
  tx.hincrby(giftKindsKey(owner), toKind(gift), 1);
  if (owner === `u${message.userId}`) tx.hset(giftMessagesKey(message.userId), message.id, id);
}

function removeFromOwner({ tx }: CallContext, gift: GiftRecord): void {
  const { id, owner, message } = gift;
  for (const order of ['came', 'value', 'themes'] as const) tx.zrem(ownedGiftsKey(owner, order), id);
  tx.hincrby(giftKindsKey(owner), toKind(gift), -1);
  if (owner === `u${message.userId}`) tx.hdel(giftMessagesKey(message.userId), message.id);
}

function putOnResale({ tx }: CallContext, old: GiftRecord | null, gift: GiftRecord): void {
  const { id, typeId, collectible } = gift;
  const before = old?.collectible?.resale ?? null;
  const after = collectible?.resale ?? null;
  if (!collectible || isSamePrice(before, after)) return;
  const { number, look } = collectible;
  if (after) {
    tx.zadd(resaleKey(typeId, 'price'), after.stars * NUMBERS_MAX + number, id);
    tx.zadd(resaleKey(typeId, 'number'), number, id);
    tx.zadd(resaleKey(typeId, 'changed'), tx.allocate(SEQ, 'resale'), id);
  } else {
    for (const order of ['price', 'number', 'changed'] as const) tx.zrem(resaleKey(typeId, order), id);
  }
  const [from, to] = [before, after].map((price) => price && toLook(look, price));
  if (from === to) return;
  if (from) tx.hincrby(resaleLooksKey(typeId), from, -1);
  if (to) tx.hincrby(resaleLooksKey(typeId), to, 1);
}

/** Removes a gift. */
export function removeGift(call: CallContext, { gift, raw }: FoundGift): void {
  const { tx } = call;
  tx.expectField(GIFTS, gift.id, raw);
  removeFromOwner(call, gift);
  if (gift.collectible) {
    putOnResale(call, gift, { ...gift, collectible: { ...gift.collectible, resale: null } });
    tx.hdel(COLLECTIBLES, gift.collectible.number);
  }
  tx.hdel(GIFTS, gift.id);
}

/** Whether two resale prices are one and the same. */
export function isSamePrice(one: ResalePrice | null, other: ResalePrice | null): boolean {
  return one?.stars === other?.stars && one?.nanoton === other?.nanoton && one?.tonOnly === other?.tonOnly;
}

/** What a gift is worth in Stars: a collectible one the more, the rarer it looks. */
export function worthOf(gift: GiftRecord): number {
  const { stars, upgradeStars } = giftTypeOf(gift);
  if (!gift.collectible) return stars;
  const { model, pattern, backdrop } = gift.collectible.look;
  return (stars + (upgradeStars ?? 0)) * (1 + model + pattern + backdrop);
}
