import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { resolveUser } from '../peers/resolve-peer.ts';
import { USERNAMES } from '../people/keys.ts';

type Entity = TlJson<tl.TypeMessageEntity>;
type MentionName = TlJson<tl.RawInputMessageEntityMentionName>;

export interface MarkedText {
  entities: Entity[];
  /** Users the text mentions, by name or by username. */
  mentions: Set<number>;
}

// Not within a word or an address such as ada@example.com.
const USERNAME = /(?<![\w@])@([A-Za-z][A-Za-z0-9_]{3,31})(?!\w)/g;
const ENTITIES_MAX = 100;

/**
 * The entities of a text as they are kept: those given, mentions by name turned into what readers see, and a mention for each
 * username in the text. Offsets and lengths are in UTF-16 units. Errors: `ENTITY_BOUNDS_INVALID`, `ENTITIES_TOO_LONG`,
 * `ENTITY_MENTION_USER_INVALID`.
 */
export async function markText(
  call: CallContext,
  text: string,
  given: readonly Entity[] = [],
): Promise<MarkedText> {
  if (given.length === 0 && !text.includes('@')) return { entities: [], mentions: new Set() };
  if (given.length > ENTITIES_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
  if (!given.every(({ offset, length }) => isWithin(offset, length, text))) {
    throw new MessengerError('ENTITY_BOUNDS_INVALID');
  }
  const mentions = new Set<number>();
  const marked = Promise.all(given.map((entity) => toKept(call, entity, mentions)));
  const usernames = text.includes('@') ? markUsernames(call, text, given, mentions) : [];
  const entities = (await Promise.all([marked, usernames])).flat();
  return { entities: entities.sort((a, b) => a.offset - b.offset), mentions };
}

function isWithin(offset: number, length: number, text: string): boolean {
  return offset >= 0 && length > 0 && offset + length <= text.length;
}

async function toKept(call: CallContext, entity: Entity, mentions: Set<number>): Promise<Entity> {
  const { offset, length } = entity;
  if (entity._ === 'messageEntityMentionName') mentions.add(entity.userId);
  if (entity._ !== 'inputMessageEntityMentionName') return entity;
  const userId = await mentionedId(call, entity);
  mentions.add(userId);
  return { _: 'messageEntityMentionName', offset, length, userId };
}

async function mentionedId(call: CallContext, { userId: input }: MentionName): Promise<number> {
  try {
    return (await resolveUser(call, input)).id;
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('ENTITY_MENTION_USER_INVALID');
    throw error;
  }
}

async function markUsernames(
  call: CallContext,
  text: string,
  given: readonly Entity[],
  mentions: Set<number>,
): Promise<Entity[]> {
  const found = [...text.matchAll(USERNAME)]
    .slice(0, ENTITIES_MAX)
    .filter((match) => !isCovered(match, given, OPAQUE));
  if (found.length === 0) return [];
  const names = found.map((match) => (match[1] as string).toLowerCase());
  const owners = await call.tx.read.hmget(call.tx.key(USERNAMES), ...names);
  for (const owner of owners) if (owner?.startsWith('u')) mentions.add(Number(owner.slice(1)));
  return found
    .filter((match) => !isCovered(match, given, MARKED))
    .map((match) => ({
      _: 'messageEntityMention',
      offset: match.index,
      length: match[0].length,
    }));
}

const MARKED: ReadonlySet<Entity['_']> = new Set(['messageEntityMention']);

// What the sender made code, a link or a mention by name is not searched for usernames.
const OPAQUE: ReadonlySet<Entity['_']> = new Set([
  'messageEntityMentionName',
  'inputMessageEntityMentionName',
  'messageEntityTextUrl',
  'messageEntityUrl',
  'messageEntityEmail',
  'messageEntityCode',
  'messageEntityPre',
]);

function isCovered(
  match: RegExpExecArray,
  given: readonly Entity[],
  kinds: ReadonlySet<Entity['_']>,
): boolean {
  const end = match.index + match[0].length;
  return given.some(({ _, offset, length }) => kinds.has(_) && offset < end && match.index < offset + length);
}
