import { MessengerError } from '../../../../driver.ts';
import { findLinks } from './find-links.ts';
import {
  BLOCKS_MAX,
  CHARACTERS_MAX,
  DEPTH_MAX,
  MEDIA_MAX,
  MEMBER_MAX,
  PIECES_MAX,
  STRINGS_MAX,
} from './limits.ts';
import type { PageBlock, RichText } from './rich-text.ts';

type InputMap = Extract<PageBlock, { _: 'inputPageBlockMap' }>;
type ShownMap = Extract<PageBlock, { _: 'pageBlockMap' }>;

/** Blocks as they are stored, with a summary of them. */
export interface CompletedBlocks {
  blocks: PageBlock[];
  count: number;
  characters: number;
  /** How many blocks and pieces of text there are. */
  pieces: number;
  depth: number;
  /** Users mentioned by id, and the mentions by username as they stand in the text. */
  userIds: number[];
  names: string[];
  /** Documents that blocks show. */
  media: string[];
}

interface TlObject {
  _: string;
}

/** What an object is in. */
interface Place {
  /** Whether its texts are not searched for links. */
  literal: boolean;
  /** How many objects, blocks and formats are around it. */
  level: number;
  blocks: number;
  formats: number;
}

// Texts within these are not searched for links.
const LITERAL =
  /^(?:textUrl|textEmail|textPhone|textFixed|textMention|textHashtag|textCashtag|textBotCommand|textBankCard|textAuto.*)$/;
const BLOCK = /^(?:pageBlock|inputPageBlock)/;
const FORMAT = /^text(?!Plain$|Concat$|Empty$)/;
// A guard for the stack, beyond what the levels of blocks and formats take up.
const NESTING_MAX = 80;

/**
 * Completes blocks: finds links in their texts (if `links`), and converts input objects to the form for readers. Errors: `MESSAGE_TOO_LONG`
 * beyond Telegram's limits and for an address of more than 2,048 characters, `MEDIA_INVALID` for a map of no place on earth,
 * `PHOTO_INVALID`.
 */
export function completeBlocks(
  drafted: readonly PageBlock[],
  { links }: { links: boolean },
): CompletedBlocks {
  const seen: Omit<CompletedBlocks, 'blocks'> = {
    count: 0,
    characters: 0,
    pieces: 0,
    depth: 0,
    userIds: [],
    names: [],
    media: [],
  };
  let strings = 0;
  const complete = (value: unknown, place: Place): unknown => {
    if (place.level > NESTING_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
    if (Array.isArray(value)) return value.map((item) => complete(item, place));
    if (!isTlObject(value)) return value;
    const within = placeWithin(value, place);
    seen.depth = Math.max(seen.depth, within.blocks, within.formats);
    collect(value as PageBlock | RichText, seen);
    strings += measureStrings(value);
    if (strings > STRINGS_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
    if (value._ === 'textPlain' && links && !place.literal) {
      const linked = findLinks(value as Extract<RichText, { _: 'textPlain' }>);
      addMentions(linked, seen);
      if (linked._ === 'textConcat') seen.pieces += 2 * linked.texts.length;
      return linked;
    }
    const shown = value._ === 'inputPageBlockMap' ? toMap(value as InputMap) : value;
    return Object.fromEntries(
      Object.entries(shown).map(([field, inner]) => [field, complete(inner, within)]),
    );
  };
  const blocks = complete(drafted, { literal: false, level: 0, blocks: 0, formats: 0 }) as PageBlock[];
  checkLimits(seen);
  return { blocks, ...seen };
}

function placeWithin({ _ }: TlObject, { literal, level, blocks, formats }: Place): Place {
  return {
    literal: literal || LITERAL.test(_) || _ === 'pageBlockPreformatted',
    level: level + 1,
    blocks: blocks + (BLOCK.test(_) ? 1 : 0),
    formats: formats + (FORMAT.test(_) ? 1 : 0),
  };
}

function collect(value: PageBlock | RichText, seen: Omit<CompletedBlocks, 'blocks'>): void {
  seen.pieces += 1;
  if (BLOCK.test(value._)) seen.count += 1;
  switch (value._) {
    case 'textPlain':
      seen.characters += value.text.length;
      break;
    case 'textMath':
    case 'pageBlockMath':
      seen.characters += value.source.length;
      break;
    case 'textMentionName':
      seen.userIds.push(value.userId);
      break;
    case 'textMention':
      addMentions(value, seen);
      break;
    case 'pageBlockAudio':
      seen.media.push(value.audioId);
      break;
    case 'pageBlockVideo':
      seen.media.push(value.videoId);
      break;
    case 'pageBlockMap':
    case 'inputPageBlockMap':
      refuseNowhere(value.geo);
      break;
    case 'pageBlockPhoto':
      throw new MessengerError('PHOTO_INVALID');
  }
  checkLimits(seen);
}

function refuseNowhere(geo: (InputMap | ShownMap)['geo']): void {
  if ('lat' in geo && !(Math.abs(geo.lat) <= 90 && Math.abs(geo.long) <= 180))
    throw new MessengerError('MEDIA_INVALID');
}

// The characters of all strings. What is not counted as text is bounded: addresses, names of languages and the like.
function measureStrings(value: TlObject): number {
  let length = 0;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'string') continue;
    const isText = name === 'text' || name === 'source';
    if (!isText && member.length > MEMBER_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
    length += member.length;
  }
  return length;
}

function checkLimits({ characters, count, depth, media, pieces }: Omit<CompletedBlocks, 'blocks'>): void {
  const isTooLong =
    characters > CHARACTERS_MAX ||
    count > BLOCKS_MAX ||
    depth > DEPTH_MAX ||
    media.length > MEDIA_MAX ||
    pieces > PIECES_MAX;
  if (isTooLong) throw new MessengerError('MESSAGE_TOO_LONG');
}

function addMentions(text: RichText, seen: Omit<CompletedBlocks, 'blocks'>): void {
  const texts = text._ === 'textConcat' ? text.texts : [text];
  for (const one of texts) {
    if (one._ === 'textMention' && one.text._ === 'textPlain') seen.names.push(one.text.text);
  }
}

function toMap({ geo, ...map }: InputMap): PageBlock {
  if (geo._ === 'inputGeoPointEmpty') return { ...map, _: 'pageBlockMap', geo: { _: 'geoPointEmpty' } };
  return {
    ...map,
    _: 'pageBlockMap',
    geo: { ...geo, _: 'geoPoint', accessHash: '0' },
  };
}

function isTlObject(value: unknown): value is TlObject {
  return typeof value === 'object' && value !== null;
}
