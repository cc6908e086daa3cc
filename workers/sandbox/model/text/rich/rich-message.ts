import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError, NeedsSlowLane } from '../../../../driver.ts';
import { firstDistinct } from '../../common/first-distinct.ts';
import { findGivenDocument } from '../../files/given-document.ts';
import { resolveUser } from '../../peers/resolve-peer.ts';
import { markText } from '../entities.ts';
import { type CompletedBlocks, completeBlocks } from './complete-blocks.ts';
import { MEDIA_MAX, NAMED_MAX } from './limits.ts';
import { checkLength, type Markup } from './markup.ts';
import { ParseThreads } from './parse-threads.ts';
import { isVisible, type PageBlock } from './rich-text.ts';

type InputRichMessage = TlJson<tl.TypeInputRichMessage>;
type InputDocument = TlJson<tl.TypeInputDocument>;
type Document = TlJson<tl.TypeDocument>;

/** The stored rich content of a message, and the users that it mentions. */
export interface RichContent {
  richMessage: TlJson<tl.RawRichMessage>;
  mentions: Set<number>;
}

/** A text this short takes some ten milliseconds at worst, unless it is `DEEP`. */
export const PARSED_IN_CALL_MAX = 512;

// Nested quotes or lists in markdown. Each level of quotes may double the time; for lists it grows with the square of the levels.
const DEEP = /^(?:(?:[ \t]*(?:[-+*]|\d+[.)]))*[ \t]*>){6}|^(?:[ \t]*(?:[->+*]|\d+[.)])){33}/m;

const threads = new ParseThreads();

// Results by input: a call that runs again after a conflict need not parse its text again.
const parsed = new WeakMap<object, CompletedBlocks>();

/**
 * Converts a sender's blocks, markdown or HTML to rich content. A longer text is parsed in another thread; a call in a shared batch may not
 * wait for that. Errors: `MESSAGE_EMPTY` for nothing but paragraphs and headings without text, `MESSAGE_TOO_LONG` beyond Telegram's limits
 * and for a text that takes too long to parse, `FLOOD_WAIT_n` for a workspace or organization that has used up its CPU time,
 * `DOCUMENT_INVALID` for a document that does not exist and for blocks whose document is not given, `PHOTO_INVALID` for any photo,
 * `MEDIA_INVALID` for a map with impossible coordinates and for a text that names a file that is not given, `ENTITIES_TOO_LONG` for more
 * than 100 users, `ENTITY_MENTION_USER_INVALID` for a mentioned user who is not found.
 */
export async function toRichContent(call: CallContext, input: InputRichMessage): Promise<RichContent> {
  const { completed, documents } =
    input._ === 'inputRichMessage' ? await completeGiven(call, input) : await completeMarkup(call, input);
  const { blocks, names, media } = completed;
  const userIds = firstDistinct(completed.userIds, NAMED_MAX + 1);
  if (!blocks.some(showsSomething)) throw new MessengerError('MESSAGE_EMPTY');
  if (userIds.length > NAMED_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
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

function showsSomething(block: PageBlock): boolean {
  const isOnlyText = /^pageBlock(?:Paragraph|Heading\d)$/.test(block._);
  return !(isOnlyText && 'text' in block) || isVisible(block.text);
}

interface Completed {
  completed: CompletedBlocks;
  documents: Document[];
}

async function completeGiven(
  call: CallContext,
  { blocks, photos, documents, users, noautolink }: Extract<InputRichMessage, { _: 'inputRichMessage' }>,
): Promise<Completed> {
  if (photos !== undefined && photos.length > 0) throw new MessengerError('PHOTO_INVALID');
  if ((documents ?? []).length > MEDIA_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  if ((users ?? []).length > NAMED_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
  const completed = completeBlocks(blocks, { links: noautolink !== true });
  const [found] = await Promise.all([
    Promise.all((documents ?? []).map((document) => getDocument(call, document))),
    Promise.all((users ?? []).map((user) => resolveUser(call, user))),
  ]);
  return { completed, documents: found };
}

async function completeMarkup(
  call: CallContext,
  input: Exclude<InputRichMessage, { _: 'inputRichMessage' }>,
): Promise<Completed> {
  const isHtml = input._ === 'inputRichMessageHTML';
  const source = isHtml ? input.html : input.markdown;
  const links = input.noautolink !== true;
  checkLength({ source, isHtml });
  if ((input.files ?? []).length > MEDIA_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  const files = new Map<string, TlJson<tl.RawDocument>>();
  for (const file of input.files ?? []) {
    if (file._ === 'inputRichFilePhoto') throw new MessengerError('PHOTO_INVALID');
    files.set(file.id, await getDocument(call, file.document));
  }
  const shown = [...files].map(([name, { id, mimeType }]) => [name, { id, mimeType }] as const);
  let completed = parsed.get(input);
  if (completed === undefined) {
    completed = await readText(call, { source, isHtml, links, files: shown });
    parsed.set(input, completed);
  }
  return { completed, documents: [...files.values()] };
}

/** Whether a text is parsed in the calling thread. */
export function isParsedInCall({ source, isHtml }: Pick<Markup, 'source' | 'isHtml'>): boolean {
  return source.length <= PARSED_IN_CALL_MAX && (isHtml || !DEEP.test(source));
}

async function readText(call: CallContext, markup: Markup): Promise<CompletedBlocks> {
  if (isParsedInCall(markup)) return (await import('./read-markup.ts')).readMarkup(markup);
  if (!call.mayWait) throw new NeedsSlowLane();
  const { workspaceId, tenants } = call;
  const owner = (await tenants?.find(workspaceId)) ?? { organizationId: workspaceId, workspaceId };
  return threads.read(owner, markup, call.signal);
}

async function getDocument(call: CallContext, input: InputDocument): Promise<TlJson<tl.RawDocument>> {
  const found = input._ === 'inputDocument' ? await findGivenDocument(call, input) : null;
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
