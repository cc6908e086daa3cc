import { MessengerError } from '../../../driver.ts';

const TITLE_MAX = 128;

/** The title of a group or channel as it is kept. Error: `CHAT_TITLE_EMPTY`. */
export function readTitle(given: string): string {
  const title = given.trim().slice(0, TITLE_MAX).toWellFormed();
  if (title === '') throw new MessengerError('CHAT_TITLE_EMPTY');
  return title;
}

const RANK_MAX = 16;
const EMOJI = /\p{Extended_Pictographic}/u;

/** A member's rank as it is stored. Errors: `ADMIN_RANK_INVALID`, `ADMIN_RANK_EMOJI_NOT_ALLOWED`. */
export function readRank(given = ''): { rank?: string } {
  const rank = given.trim().toWellFormed();
  if (rank.length > RANK_MAX) throw new MessengerError('ADMIN_RANK_INVALID');
  if (EMOJI.test(rank)) throw new MessengerError('ADMIN_RANK_EMOJI_NOT_ALLOWED');
  return rank === '' ? {} : { rank };
}
