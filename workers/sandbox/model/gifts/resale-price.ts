import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { MessengerError } from '../../../driver.ts';
import type { ResalePrice } from './gifts.ts';

// Telegram's bounds of a price in Stars, and a fixed rate where it has the market's.
const STARS_MIN = 125;
const STARS_MAX = 100_000;
const NANOTON_PER_STAR = 5_000_000;

/** The price of so many Stars. */
export function inStars(stars: number): ResalePrice {
  return { stars, nanoton: `${stars * NANOTON_PER_STAR}`, tonOnly: false };
}

/** The resale price an amount means; null for none, which is 0. Errors: `GIFT_STARS_INVALID` beyond the bounds. */
export function readResalePrice(amount: TlJson<tl.TypeStarsAmount>): ResalePrice | null {
  if (amount._ === 'starsAmount') {
    const stars = Number(amount.amount);
    if (stars === 0 && amount.nanos === 0) return null;
    if (amount.nanos !== 0) throw new MessengerError('GIFT_STARS_INVALID');
    return inStars(checkPrice(stars));
  }
  const nanoton = Number(amount.amount);
  if (nanoton === 0) return null;
  const stars = checkPrice(Math.round(nanoton / NANOTON_PER_STAR));
  return { stars, nanoton: `${nanoton}`, tonOnly: true };
}

function checkPrice(stars: number): number {
  if (stars < STARS_MIN || stars > STARS_MAX) throw new MessengerError('GIFT_STARS_INVALID');
  return stars;
}
