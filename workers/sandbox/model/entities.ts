import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../driver.ts';
import { resolveUser } from './peers.ts';
import { USERNAMES } from './state-keys.ts';

type Entity = TlJson<tl.TypeMessageEntity>;

export interface MarkedText {
  entities: Entity[];
  /** Users the text mentions, by name or by username. */
  mentions: Set<number>;
}

const USERNAME = /@([A-Za-z][A-Za-z0-9_]{3,31})\b/g;
const ENTITIES_MAX = 100;

/**
 * The entities of a text as they are kept: those given, mentions by name turned into what readers see, and a mention for each
 * username in the text. Offsets and lengths are in UTF-16 units. Errors: `ENTITY_BOUNDS_INVALID`, `ENTITIES_TOO_LONG`.
 */
export async function markText(
  call: CallContext,
  text: string,
  given: readonly Entity[] = [],
): Promise<MarkedText> {
  if (given.length > ENTITIES_MAX) throw new MessengerError('ENTITIES_TOO_LONG');
  const mentions = new Set<number>();
  const entities: Entity[] = [];
  for (const entity of given) {
    const { offset, length } = entity;
    if (offset < 0 || length <= 0 || offset + length > text.length)
      throw new MessengerError('ENTITY_BOUNDS_INVALID');
    if (entity._ !== 'inputMessageEntityMentionName') {
      entities.push(entity);
      continue;
    }
    const { id: userId } = await resolveUser(call, entity.userId);
    mentions.add(userId);
    entities.push({ _: 'messageEntityMentionName', offset, length, userId });
  }
  if (text.includes('@')) await markUsernames(call, text, entities, mentions);
  return { entities: entities.sort((a, b) => a.offset - b.offset), mentions };
}

async function markUsernames(
  call: CallContext,
  text: string,
  entities: Entity[],
  mentions: Set<number>,
): Promise<void> {
  const found = [...text.matchAll(USERNAME)].slice(0, ENTITIES_MAX);
  if (found.length === 0) return;
  const names = found.map((match) => (match[1] as string).toLowerCase());
  const owners = await call.tx.read.hmget(call.tx.key(USERNAMES), ...names);
  for (const [index, match] of found.entries()) {
    const owner = owners[index];
    if (owner?.startsWith('u')) mentions.add(Number(owner.slice(1)));
    const offset = match.index;
    const length = match[0].length;
    if (!entities.some((other) => other.offset === offset))
      entities.push({ _: 'messageEntityMention', offset, length });
  }
}
