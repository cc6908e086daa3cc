import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { resolveUser } from '../peers/resolve-peer.ts';
import { USERNAMES } from '../people/keys.ts';
import { findLinksIn, type Link, type LinkKind } from './links.ts';

type Entity = TlJson<tl.TypeMessageEntity>;
type MentionName = TlJson<tl.RawInputMessageEntityMentionName | tl.RawMessageEntityMentionName>;

/** A text as it is stored, with its entities. Offsets and lengths are in UTF-16 units. */
export interface MarkedText {
  /** The text without white space at its ends. */
  text: string;
  entities: Entity[];
  /** The ids of the users that the text mentions, by name or by username. */
  mentions: Set<number>;
}

// The most given entities of a text, and the most that are found in it.
const ENTITIES_MAX = 100;

// The longest address, language or old text in an entity: as long as other addresses may be.
const MEMBER_MAX = 2_048;

// The length of all given entities, as JSON. A hundred links of 300 characters fit.
const JSON_LENGTH_MAX = 40_000;

/**
 * A text as it is stored, with its entities: those that the sender gave, and one for each of the first 100 addresses, numbers, usernames,
 * tags and commands that are found in the text. Returns no promise if there is neither, as in most texts. Errors: `ENTITY_BOUNDS_INVALID`
 * also for an address of more than 2,048 characters, `ENTITIES_TOO_LONG` for more than 100 entities, or 40,000 characters of JSON,
 * `ENTITY_MENTION_USER_INVALID`.
 */
export function markText(
  call: CallContext,
  sentText: string,
  sentEntities: readonly Entity[] = [],
): MarkedText | Promise<MarkedText> {
  const text = sentText.trim();
  if (sentEntities.length > 0) return markWithGiven(call, text, sentText, sentEntities);
  const found = findUnmarkedLinks(text, []);
  if (found.length === 0) return { text, entities: [], mentions: new Set() };
  return mark(call, text, [], found);
}

async function markWithGiven(
  call: CallContext,
  text: string,
  sentText: string,
  sentEntities: readonly Entity[],
): Promise<MarkedText> {
  checkEntities(sentText, sentEntities);
  const given = fitToTrimmed(text, sentEntities, sentText.length - sentText.trimStart().length);
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
    Promise.all(given.map((entity) => toStored(call, entity, mentions))),
    findMentioned(call, found, mentions),
  ]);
  const entities = [
    ...marked,
    ...found.filter((link) => !overlaps(link, given, LINK_ENTITIES)).map(toEntity),
  ];
  return { text, entities: entities.sort((a, b) => a.offset - b.offset), mentions };
}

/** The given entities, as stored, of a text in which no links are looked for, such as a poll's question. Errors: those of `markText`. */
export async function toStoredEntities(
  call: CallContext,
  text: string,
  given: readonly Entity[] = [],
): Promise<Entity[]> {
  checkEntities(text, given);
  return Promise.all(given.map((entity) => toStored(call, entity, new Set())));
}

function checkEntities(text: string, given: readonly Entity[]): void {
  if (given.length > ENTITIES_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
  if (!given.every((entity) => isWithin(entity.offset, entity.length, text) && hasShortMembers(entity))) {
    throw new MessengerError('ENTITY_BOUNDS_INVALID');
  }
  if (JSON.stringify(given).length > JSON_LENGTH_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
}

function hasShortMembers(entity: Entity): boolean {
  return Object.values(entity).every((member) => typeof member !== 'string' || member.length <= MEMBER_MAX);
}

// Adjusts entities to a text that was trimmed, at its beginning by `trimmed` units. Those of which nothing is left are dropped.
function fitToTrimmed(text: string, entities: readonly Entity[], trimmed: number): Entity[] {
  return entities.flatMap((entity) => {
    const offset = Math.max(0, entity.offset - trimmed);
    const length = Math.min(text.length, entity.offset + entity.length - trimmed) - offset;
    return length > 0 ? [{ ...entity, offset, length }] : [];
  });
}

function isWithin(offset: number, length: number, text: string): boolean {
  return offset >= 0 && length > 0 && offset + length <= text.length;
}

// Stores a mention by name in the form that readers get, and adds its user to `mentions`.
async function toStored(call: CallContext, entity: Entity, mentions: Set<number>): Promise<Entity> {
  const { offset, length } = entity;
  if (entity._ !== 'inputMessageEntityMentionName' && entity._ !== 'messageEntityMentionName') return entity;
  const userId = await findMentionedId(call, entity);
  mentions.add(userId);
  return { _: 'messageEntityMentionName', offset, length, userId };
}

async function findMentionedId(call: CallContext, { userId }: MentionName): Promise<number> {
  try {
    const input =
      typeof userId === 'number' ? ({ _: 'inputUser', userId, accessHash: '0' } as const) : userId;
    return (await resolveUser(call, input)).id;
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('ENTITY_MENTION_USER_INVALID');
    throw error;
  }
}

const ENTITY_OF_LINK = {
  url: 'messageEntityUrl',
  email: 'messageEntityEmail',
  phone: 'messageEntityPhone',
  bankCard: 'messageEntityBankCard',
  mention: 'messageEntityMention',
  hashtag: 'messageEntityHashtag',
  cashtag: 'messageEntityCashtag',
  command: 'messageEntityBotCommand',
} as const satisfies Record<LinkKind, Entity['_']>;

// Where the sender has given one of these, a link that is found gets no entity. A username there is a mention all the same.
const LINK_ENTITIES: ReadonlySet<Entity['_']> = new Set(Object.values(ENTITY_OF_LINK));

// In what the sender has marked as code, an address or a mention by name, no links are looked for.
const OPAQUE_ENTITIES: ReadonlySet<Entity['_']> = new Set([
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
    if (!overlaps(link, given, OPAQUE_ENTITIES)) found.push(link);
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
  return { _: ENTITY_OF_LINK[kind], offset: index, length: text.length };
}

function overlaps({ index, text }: Link, given: readonly Entity[], kinds: ReadonlySet<Entity['_']>): boolean {
  const end = index + text.length;
  return given.some(({ _, offset, length }) => kinds.has(_) && offset < end && index < offset + length);
}
