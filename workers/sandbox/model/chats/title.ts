import { MessengerError } from '../../../driver.ts';

const TITLE_MAX = 128;

/** The title of a group or channel as it is kept. Error: `CHAT_TITLE_EMPTY`. */
export function readTitle(given: string): string {
  const title = given.trim().slice(0, TITLE_MAX).toWellFormed();
  if (title === '') throw new MessengerError('CHAT_TITLE_EMPTY');
  return title;
}
