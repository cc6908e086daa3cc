import { MessengerError } from '../../../../driver.ts';
import { type CompletedBlocks, completeBlocks } from './complete-blocks.ts';
import { type FindMedium, htmlToBlocks } from './html-blocks.ts';
import { CHARACTERS_MAX } from './limits.ts';
import { markdownToHtml } from './markdown.ts';

/** A text in markdown or HTML, and what is needed to parse it. */
export interface Markup {
  source: string;
  isHtml: boolean;
  /** Whether addresses, names and the like in the text become links. */
  links: boolean;
  /** The documents that the text may show, by the ids it has for them. */
  files: readonly (readonly [string, { id: string; mimeType: string }])[];
}

// Pairing delimiters takes quadratic time.
const DELIMITERS_MAX = 4_000;

/** Throws `MESSAGE_TOO_LONG` for a text that is too long to be within the limits. */
export function checkLength({ source, isHtml }: Pick<Markup, 'source' | 'isHtml'>): void {
  if (source.length > CHARACTERS_MAX * (isHtml ? 4 : 1)) throw new MessengerError('MESSAGE_TOO_LONG');
  if (!isHtml && (source.match(/[*_~]/g)?.length ?? 0) > DELIMITERS_MAX) {
    throw new MessengerError('MESSAGE_TOO_LONG');
  }
}

/**
 * Parses the blocks of a text. It may take quadratic time, and worse. Errors: `MESSAGE_TOO_LONG` beyond Telegram's limits, `MEDIA_INVALID`.
 */
export function readMarkup({ source, isHtml, links, files }: Markup): CompletedBlocks {
  try {
    const html = isHtml ? source : markdownToHtml(source);
    return completeBlocks(htmlToBlocks(html, mediumIn(new Map(files))), { links });
  } catch (error) {
    // The nesting exceeds the stack, and so the limit.
    if (error instanceof RangeError) throw new MessengerError('MESSAGE_TOO_LONG');
    throw error;
  }
}

function mediumIn(files: ReadonlyMap<string, { id: string; mimeType: string }>): FindMedium {
  return (id, caption, { attribs }) => {
    const document = files.get(id);
    if (!document) throw new MessengerError('MEDIA_INVALID');
    if (document.mimeType.startsWith('audio/')) {
      return { _: 'pageBlockAudio', audioId: document.id, caption };
    }
    return {
      _: 'pageBlockVideo',
      videoId: document.id,
      caption,
      ...(attribs.autoplay === undefined ? {} : { autoplay: true }),
      ...(attribs.loop === undefined ? {} : { loop: true }),
      ...(attribs['tg-spoiler'] === undefined ? {} : { spoiler: true }),
    };
  };
}
