import { MessengerError } from '../../../driver.ts';

const CAPTION_MAX = 1_024;

/** Throws `MEDIA_CAPTION_TOO_LONG` for the text of a medium that has more than 1,024 characters. */
export function refuseLongCaption(text: string): void {
  if (text.length > CAPTION_MAX) throw new MessengerError('MEDIA_CAPTION_TOO_LONG');
}
