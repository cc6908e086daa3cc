import type { PeerKey } from '../common/state-keys.ts';

// What lies under these keys is said in the table of `state-keys.ts`.

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
