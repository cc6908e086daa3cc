import { MessengerError } from '../../../../driver.ts';
import { type CompletedBlocks, completeBlocks } from './complete-blocks.ts';
import { type FindMedium, htmlToBlocks } from './html-blocks.ts';
import { markdownToHtml } from './markdown.ts';
import type { Markup } from './markup.ts';

/**
 * Parses the blocks of a text. It may take quadratic time, and worse. Errors: `MESSAGE_TOO_LONG` beyond Telegram's limits, `MEDIA_INVALID`.
 */
export function readMarkup({ source, isHtml, links, files }: Markup): CompletedBlocks {
  try {
    const html = isHtml ? source : markdownToHtml(source);
    return completeBlocks(htmlToBlocks(html, findMediumIn(new Map(files))), { links });
  } catch (error) {
    // The nesting exceeds the stack, and so the limit.
    if (error instanceof RangeError) throw new MessengerError('MESSAGE_TOO_LONG');
    throw error;
  }
}

function findMediumIn(files: ReadonlyMap<string, { id: string; mimeType: string }>): FindMedium {
  const byAddress = new Map([...files].map(([id, file]) => [toAddress(id), file]));
  return (id, caption, { attribs }) => {
    const document = files.get(id) ?? byAddress.get(toAddress(id));
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

// As addresses in markdown are written in its HTML. Doing it again changes nothing.
function toAddress(id: string): string {
  return encodeURI(id.toWellFormed()).replaceAll('%25', '%');
}
