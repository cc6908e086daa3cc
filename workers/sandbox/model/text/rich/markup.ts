import { MessengerError } from '../../../../driver.ts';
import { CHARACTERS_MAX } from './limits.ts';

/** A text in markdown or HTML, and what is needed to read it. */
export interface Markup {
  source: string;
  isHtml: boolean;
  /** Whether addresses, names and the like in the text become links. */
  links: boolean;
  /** The documents that the text may show, by the ids it has for them. */
  files: readonly (readonly [string, { id: string; mimeType: string }])[];
}

// Pairing these takes time that grows with the square of their number.
const DELIMITERS_MAX = 4_000;

/** Throws `MESSAGE_TOO_LONG` for a text that is longer than any that can be within the limits. */
export function checkLength({ source, isHtml }: Pick<Markup, 'source' | 'isHtml'>): void {
  if (source.length > CHARACTERS_MAX * (isHtml ? 4 : 1)) throw new MessengerError('MESSAGE_TOO_LONG');
  if (!isHtml && (source.match(/[*_~]/g)?.length ?? 0) > DELIMITERS_MAX) {
    throw new MessengerError('MESSAGE_TOO_LONG');
  }
}
