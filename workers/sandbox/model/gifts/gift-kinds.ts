import { giftTypeOf } from './gift-catalogue.ts';
import type { GiftRecord } from './gifts.ts';

/** Which of a peer's gifts are excluded; the names are those of `payments.getSavedStarGifts`. */
export interface KindFilter {
  excludeUnsaved?: boolean | undefined;
  excludeSaved?: boolean | undefined;
  excludeUnlimited?: boolean | undefined;
  excludeUnique?: boolean | undefined;
  excludeUpgradable?: boolean | undefined;
  excludeUnupgradable?: boolean | undefined;
}

/** A gift's kind for filters of a peer's gifts, as one word, so that gifts can be counted by kind. */
export function toKind(gift: GiftRecord): string {
  const { availabilityTotal, upgradeStars } = giftTypeOf(gift);
  const shown = gift.unsaved ? 'unsaved' : 'saved';
  if (gift.collectible) return `${shown}:unique:final`;
  const number = availabilityTotal === null ? 'unlimited' : 'limited';
  return `${shown}:${number}:${upgradeStars === null ? 'final' : 'upgradable'}`;
}

/** Whether gifts of a kind are wanted. A collectible gift can be upgraded no further, and does not count as unupgradable. */
export function isWanted(kind: string, filter: KindFilter): boolean {
  const [shown, number, upgrade] = kind.split(':');
  const isUnique = number === 'unique';
  const unwanted = [
    filter.excludeUnsaved && shown === 'unsaved',
    filter.excludeSaved && shown === 'saved',
    filter.excludeUnlimited && number === 'unlimited',
    filter.excludeUnique && isUnique,
    filter.excludeUpgradable && upgrade === 'upgradable',
    filter.excludeUnupgradable && !isUnique && upgrade === 'final',
  ];
  return !unwanted.some(Boolean);
}

/** How many of the counted gifts are of a wanted kind. */
export function countWanted(counts: Record<string, string>, wanted: (kind: string) => boolean): number {
  return Object.entries(counts).reduce((sum, [kind, count]) => sum + (wanted(kind) ? Number(count) : 0), 0);
}
