import type { PeerKey } from '../common/keys.ts';

/**
 * The keys of gifts. The letters are those of `common/keys.ts`.
 *
 *   gifts               hash: gift id -> GiftRecord, of every star gift somebody owns
 *   collectibles        hash: number of a collectible gift -> its gift id
 *   gift-messages:U     hash: id of a message in U's box -> gift id, of the gifts U owns
 *   owned-gifts:<peer>:<order> sorted set: gift ids, `came` in the order they came, `value` by worth, `themes` as they came, but
 *                       only those that can be chat themes
 *   gift-kinds:<peer>   hash: kind of a gift -> how many of them the peer owns
 *   resale:<type>:<order> sorted set: gift ids of a type on resale, by `price`, by `number`, and `changed` by when the price was
 *                       last changed
 *   resale-looks:<type> hash: `<model>:<pattern>:<backdrop>:<stars or ton>` -> how many gifts that look like that are on resale for that
 */
export const GIFTS = 'gifts';
export const COLLECTIBLES = 'collectibles';
export const COLLECTIBLE_IDS = { counter: 'collectible', records: COLLECTIBLES } as const;

export function giftMessagesKey(userId: number): string {
  return `gift-messages:${userId}`;
}

export function ownedGiftsKey(owner: PeerKey, order: 'came' | 'value' | 'themes'): string {
  return `owned-gifts:${owner}:${order}`;
}

export function giftKindsKey(owner: PeerKey): string {
  return `gift-kinds:${owner}`;
}

export function resaleKey(type: string, order: 'price' | 'number' | 'changed'): string {
  return `resale:${type}:${order}`;
}

export function resaleLooksKey(type: string): string {
  return `resale-looks:${type}`;
}
