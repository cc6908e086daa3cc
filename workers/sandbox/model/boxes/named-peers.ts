import type { tl } from '@mtcute/core';
import { Placeholder } from '../../../../src/state/placeholder.ts';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { isChannelId } from '../common/take-ids.ts';

type TlPeer = TlJson<tl.TypePeer>;
type Found = Map<string, TlPeer>;

// Fields that hold an id, or a list of ids.
const toUser = (userId: number): TlPeer => ({ _: 'peerUser', userId });
const toChat = (chatId: number): TlPeer => ({ _: 'peerChat', chatId });
const toChannel = (channelId: number): TlPeer => ({ _: 'peerChannel', channelId });
const FIELDS: ReadonlyMap<string, (id: number) => TlPeer> = new Map([
  ...[
    'userId',
    'users',
    'botId',
    'viaBotId',
    'inviterId',
    'adminId',
    'actorId',
    'promotedBy',
    'kickedBy',
  ].map((name) => [name, toUser] as const),
  ['chatId', toChat],
  ...['channelId', 'channels'].map((name) => [name, toChannel] as const),
  // Of privacy rules: basic groups and supergroups.
  ['chats', (id) => (isChannelId(id) ? toChannel(id) : toChat(id))],
]);

const inShared = new WeakMap<Placeholder, Found>();

/**
 * All peers that messages, updates or other TL objects name, each once, without those that `input…` objects name. A TL result lists these
 * peers beside its objects.
 */
export function peersOf(...values: readonly unknown[]): TlPeer[] {
  const found: Found = new Map();
  for (const value of values) collect(value, undefined, found);
  return [...found.values()];
}

function collect(value: unknown, field: string | undefined, found: Found): void {
  if (typeof value === 'number') {
    const toPeer = field === undefined ? undefined : FIELDS.get(field);
    if (!toPeer || value <= 0) return;
    const peer = toPeer(value);
    found.set(`${peer._}${value}`, peer);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, field, found);
  } else if (value instanceof Placeholder) {
    if (value.value !== undefined) collectShared(value, field, found);
  } else if (typeof value === 'object' && value !== null) {
    // Peers in the caller's own input are not listed.
    if (String((value as { _?: unknown })._).startsWith('input')) return;
    for (const name in value) collect((value as Record<string, unknown>)[name], name, found);
  }
}

// Updates of many users may share one long value, which is walked through once.
function collectShared(shared: Placeholder, field: string | undefined, found: Found): void {
  let own = inShared.get(shared);
  if (own === undefined) {
    own = new Map();
    collect(shared.value, field, own);
    inShared.set(shared, own);
  }
  for (const [name, peer] of own) found.set(name, peer);
}
