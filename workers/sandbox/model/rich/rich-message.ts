import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { findDocument } from '../documents.ts';
import { markText } from '../entities.ts';
import { resolveUser } from '../peers.ts';
import { completeBlocks } from './complete-blocks.ts';
import { type FindMedium, htmlToBlocks } from './html-blocks.ts';
import { markdownToHtml } from './markdown.ts';
import type { PageBlock } from './rich-text.ts';

type InputRichMessage = TlJson<tl.TypeInputRichMessage>;
type InputDocument = TlJson<tl.TypeInputDocument>;
type Document = TlJson<tl.TypeDocument>;

/** The rich content of a message as it is kept, and the users it mentions. */
export interface RichContent {
  richMessage: TlJson<tl.RawRichMessage>;
  mentions: Set<number>;
}

// The limits of Telegram's rich messages. Source: core.telegram.org/bots/api, rich messages.
const CHARACTERS_MAX = 32_768;
const BLOCKS_MAX = 500;
const DEPTH_MAX = 16;
const MEDIA_MAX = 50;
// Pairing these takes time that grows with the square of their number.
const DELIMITERS_MAX = 4_000;

/**
 * The rich content its sender gave as blocks, markdown or HTML. Errors: `MESSAGE_EMPTY` for no blocks, `MESSAGE_TOO_LONG` beyond
 * Telegram's limits, `DOCUMENT_INVALID` and `PHOTO_INVALID` for media that are not given, `ENTITY_MENTION_USER_INVALID`.
 */
export async function toRichContent(call: CallContext, input: InputRichMessage): Promise<RichContent> {
  const { blocks: drafted, documents } =
    input._ === 'inputRichMessage' ? await readBlocks(call, input) : await readMarkup(call, input);
  const { blocks, count, characters, depth, userIds, names, media } = completeBlocks(drafted, {
    links: input.noautolink !== true,
  });
  if (blocks.length === 0) throw new MessengerError('MESSAGE_EMPTY');
  if (characters > CHARACTERS_MAX || count > BLOCKS_MAX || depth > DEPTH_MAX || media.length > MEDIA_MAX) {
    throw new MessengerError('MESSAGE_TOO_LONG');
  }
  const known = new Set(documents.map(({ id }) => id));
  if (media.some((id) => !known.has(id))) throw new MessengerError('DOCUMENT_INVALID');
  const [{ mentions }] = await Promise.all([
    markText(call, names.join(' ')),
    Promise.all(userIds.map((userId) => refuseUnknownUser(call, userId))),
  ]);
  return {
    richMessage: {
      _: 'richMessage',
      ...(input.rtl ? { rtl: true } : {}),
      blocks,
      photos: [],
      documents,
    },
    mentions: new Set([...mentions, ...userIds]),
  };
}

async function readBlocks(
  call: CallContext,
  { blocks, photos, documents, users }: Extract<InputRichMessage, { _: 'inputRichMessage' }>,
): Promise<{ blocks: PageBlock[]; documents: Document[] }> {
  if (photos !== undefined && photos.length > 0) throw new MessengerError('PHOTO_INVALID');
  const [found] = await Promise.all([
    Promise.all((documents ?? []).map((document) => getDocument(call, document))),
    Promise.all((users ?? []).map((user) => resolveUser(call, user))),
  ]);
  return { blocks, documents: found };
}

async function readMarkup(
  call: CallContext,
  input: Exclude<InputRichMessage, { _: 'inputRichMessage' }>,
): Promise<{ blocks: PageBlock[]; documents: Document[] }> {
  const files = new Map<string, TlJson<tl.RawDocument>>();
  for (const file of input.files ?? []) {
    if (file._ === 'inputRichFilePhoto') throw new MessengerError('PHOTO_INVALID');
    files.set(file.id, await getDocument(call, file.document));
  }
  const source = input._ === 'inputRichMessageHTML' ? input.html : input.markdown;
  const isHtml = input._ === 'inputRichMessageHTML';
  if (source.length > CHARACTERS_MAX * (isHtml ? 4 : 1)) throw new MessengerError('MESSAGE_TOO_LONG');
  if (!isHtml && (source.match(/[*_~]/g)?.length ?? 0) > DELIMITERS_MAX) {
    throw new MessengerError('MESSAGE_TOO_LONG');
  }
  try {
    const html = isHtml ? source : markdownToHtml(source);
    return {
      blocks: htmlToBlocks(html, mediumIn(files)),
      documents: [...files.values()],
    };
  } catch (error) {
    // Nested deeper than can be walked, and so deeper than is allowed.
    if (error instanceof RangeError) throw new MessengerError('MESSAGE_TOO_LONG');
    throw error;
  }
}

function mediumIn(files: Map<string, TlJson<tl.RawDocument>>): FindMedium {
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

async function getDocument(call: CallContext, input: InputDocument): Promise<TlJson<tl.RawDocument>> {
  const found = input._ === 'inputDocument' ? await findDocument(call, input.id) : null;
  if (!found) throw new MessengerError('DOCUMENT_INVALID');
  return found.document;
}

async function refuseUnknownUser(call: CallContext, userId: number): Promise<void> {
  try {
    await resolveUser(call, { _: 'inputUser', userId, accessHash: '0' });
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('ENTITY_MENTION_USER_INVALID');
    throw error;
  }
}
