import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { resolveUser } from '../peers/resolve-peer.ts';
import { USERNAMES } from '../people/keys.ts';
import { findLinksIn, type Link, type LinkKind } from './links.ts';

type Entity = TlJson<tl.TypeMessageEntity>;
type MentionName = TlJson<tl.RawInputMessageEntityMentionName | tl.RawMessageEntityMentionName>;

export interface MarkedText {
  /** The text without white space at its ends. */
  text: string;
  entities: Entity[];
  /** Users the text mentions, by name or by username. */
  mentions: Set<number>;
}

const ENTITIES_MAX = 100;

/**
 * A text as it is stored, with its entities: the given ones, with mentions by name in the form for readers, and one for each address,
 * number, username, tag and command in the text, up to 100. Offsets and lengths are in UTF-16 units. Errors: `ENTITY_BOUNDS_INVALID`,
 * `ENTITIES_TOO_LONG`, `ENTITY_MENTION_USER_INVALID`.
 */
export function markText(
  call: CallContext,
  asSent: string,
  asGiven: readonly Entity[] = [],
): MarkedText | Promise<MarkedText> {
  const text = asSent.trim();
  if (asGiven.length > 0) return markGiven(call, text, asSent, asGiven);
  const found = findUnmarkedLinks(text, []);
  if (found.length === 0) return { text, entities: [], mentions: new Set() };
  return mark(call, text, [], found);
}

async function markGiven(
  call: CallContext,
  text: string,
  asSent: string,
  asGiven: readonly Entity[],
): Promise<MarkedText> {
  checkEntities(asSent, asGiven);
  const given = moveInto(text, asGiven, asSent.length - asSent.trimStart().length);
  return mark(call, text, given, findUnmarkedLinks(text, given));
}

async function mark(
  call: CallContext,
  text: string,
  given: readonly Entity[],
  found: readonly Link[],
): Promise<MarkedText> {
  const mentions = new Set<number>();
  const [marked] = await Promise.all([
    Promise.all(given.map((entity) => toKept(call, entity, mentions))),
    findMentioned(call, found, mentions),
  ]);
  const entities = [...marked, ...found.filter((link) => !isCovered(link, given, FOUND)).map(toEntity)];
  return { text, entities: entities.sort((a, b) => a.offset - b.offset), mentions };
}

/** The given entities of a text, such as a poll's question, in which no links are looked for. Errors: those of `markText`. */
export async function toStoredEntities(
  call: CallContext,
  text: string,
  given: readonly Entity[] = [],
): Promise<Entity[]> {
  checkEntities(text, given);
  return Promise.all(given.map((entity) => toKept(call, entity, new Set())));
}

function checkEntities(text: string, given: readonly Entity[]): void {
  if (given.length > ENTITIES_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
  if (!given.every(({ offset, length }) => isWithin(offset, length, text))) {
    throw new MessengerError('ENTITY_BOUNDS_INVALID');
  }
}

// Adjusts entities to a text whose beginning and end were trimmed.
function moveInto(text: string, entities: readonly Entity[], cut: number): Entity[] {
  return entities.flatMap((entity) => {
    const offset = Math.max(0, entity.offset - cut);
    const length = Math.min(text.length, entity.offset + entity.length - cut) - offset;
    return length > 0 ? [{ ...entity, offset, length }] : [];
  });
}

function isWithin(offset: number, length: number, text: string): boolean {
  return offset >= 0 && length > 0 && offset + length <= text.length;
}

async function toKept(call: CallContext, entity: Entity, mentions: Set<number>): Promise<Entity> {
  const { offset, length } = entity;
  if (entity._ !== 'inputMessageEntityMentionName' && entity._ !== 'messageEntityMentionName') return entity;
  const userId = await mentionedId(call, entity);
  mentions.add(userId);
  return { _: 'messageEntityMentionName', offset, length, userId };
}

async function mentionedId(call: CallContext, { userId }: MentionName): Promise<number> {
  try {
    const input =
      typeof userId === 'number' ? ({ _: 'inputUser', userId, accessHash: '0' } as const) : userId;
    return (await resolveUser(call, input)).id;
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('ENTITY_MENTION_USER_INVALID');
    throw error;
  }
}

const KINDS = {
  url: 'messageEntityUrl',
  email: 'messageEntityEmail',
  phone: 'messageEntityPhone',
  bankCard: 'messageEntityBankCard',
  mention: 'messageEntityMention',
  hashtag: 'messageEntityHashtag',
  cashtag: 'messageEntityCashtag',
  command: 'messageEntityBotCommand',
} as const satisfies Record<LinkKind, Entity['_']>;

// A part that the sender has marked as one of these is not marked again.
const FOUND: ReadonlySet<Entity['_']> = new Set(Object.values(KINDS));

// Code, links and mentions by name are not searched.
const OPAQUE: ReadonlySet<Entity['_']> = new Set([
  'messageEntityMentionName',
  'inputMessageEntityMentionName',
  'messageEntityTextUrl',
  'messageEntityUrl',
  'messageEntityEmail',
  'messageEntityCode',
  'messageEntityPre',
]);

function findUnmarkedLinks(text: string, given: readonly Entity[]): Link[] {
  const found: Link[] = [];
  for (const link of findLinksIn(text)) {
    if (!isCovered(link, given, OPAQUE)) found.push(link);
    if (found.length === ENTITIES_MAX) break;
  }
  return found;
}

async function findMentioned(
  call: CallContext,
  found: readonly Link[],
  mentions: Set<number>,
): Promise<void> {
  const names = found.filter(({ kind }) => kind === 'mention').map(({ text }) => text.slice(1).toLowerCase());
  if (names.length === 0) return;
  const owners = await call.tx.read.hmget(call.tx.key(USERNAMES), ...names);
  for (const owner of owners) if (owner?.startsWith('u')) mentions.add(Number(owner.slice(1)));
}

function toEntity({ kind, index, text }: Link): Entity {
  return { _: KINDS[kind], offset: index, length: text.length };
}

function isCovered(
  { index, text }: Link,
  given: readonly Entity[],
  kinds: ReadonlySet<Entity['_']>,
): boolean {
  const end = index + text.length;
  return given.some(({ _, offset, length }) => kinds.has(_) && offset < end && index < offset + length);
}
