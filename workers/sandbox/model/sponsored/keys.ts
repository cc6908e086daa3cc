/**
 * The keys of sponsored messages. The letters are those of `common/keys.ts`.
 *
 *   sponsored           hash: peer key of a channel or bot -> SponsoredRecord
 *   sponsored-ids       hash: randomId of a sponsored message -> peer key
 *   sponsored-counts    hash: `views:<randomId>` and `clicks:<randomId>`
 */
export const SPONSORED = 'sponsored';
export const SPONSORED_IDS = 'sponsored-ids';
export const SPONSORED_COUNTS = 'sponsored-counts';
