import { MessengerError } from '../../../driver.ts';
import { cutText } from '../common/cut-text.ts';

const TITLE_MAX = 128;

/** The title of a group or channel as it is stored: its first 128 UTF-16 units. Error: `CHAT_TITLE_EMPTY`. */
export function readTitle(given: string): string {
  const title = cutText(given, TITLE_MAX);
  if (title === '') throw new MessengerError('CHAT_TITLE_EMPTY');
  return title;
}

const RANK_MAX = 16;
// Signs such as ™ are emoji only with the selector U+FE0F; U+20E3 makes a keycap, and two regional indicators a flag.
const EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|[\uFE0F\u20E3]/u;

/** A member's rank as it is stored, at most 16 UTF-16 units. Errors: `ADMIN_RANK_INVALID`, `ADMIN_RANK_EMOJI_NOT_ALLOWED`. */
export function readRank(given = ''): { rank?: string } {
  const rank = given.trim().toWellFormed();
  if (rank.length > RANK_MAX) throw new MessengerError('ADMIN_RANK_INVALID');
  if (EMOJI.test(rank)) throw new MessengerError('ADMIN_RANK_EMOJI_NOT_ALLOWED');
  return rank === '' ? {} : { rank };
}
