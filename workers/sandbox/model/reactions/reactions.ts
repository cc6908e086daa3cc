import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { listPrivateCopies, type StoredMessage } from '../boxes/messages.ts';
import type { UserBox } from '../common/keys.ts';
import type { Peer } from '../peers/peer.ts';
import { type ReactionTarget, reactionsKey } from './keys.ts';

export type MessageReactions = TlJson<tl.RawMessageReactions>;
type Reaction = TlJson<tl.RawReactionEmoji>;

/** One user's reactions to a message. */
export interface GivenReactions {
  reactions: Reaction[];
  big: boolean;
  date: number;
}

/** The reactions to a message, by user. */
export type Reactions = ReadonlyMap<number, GivenReactions>;

const RECENT_MAX = 20;

/** The target under which the reactions to a message of the calling account are stored; all copies of a message share it. */
export function reactionTarget(
  call: CallContext,
  peer: Pick<Peer, 'kind' | 'id'>,
  found: StoredMessage,
): ReactionTarget {
  if (peer.kind === 'channel') return `c${peer.id}:${found.message.id}`;
  if (found.copies !== undefined) return `x${found.copies}`;
  const [[box, id]] = Object.entries(listPrivateCopies(found, call.account.userId)) as [[UserBox, number]];
  return `${box}:${id}`;
}

/** The forum's topic, or the thread of a monoforum, that a message of a channel belongs to, as updates of its reactions name it. */
export function partOf({ message, thread }: StoredMessage): {
  topMsgId?: number;
  savedPeerId?: TlJson<tl.TypePeer>;
} {
  if (message.peerId._ !== 'peerChannel' || thread === undefined) return {};
  if (thread.startsWith('t')) return { topMsgId: Number(thread.slice(1)) };
  return message.savedPeerId ? { savedPeerId: message.savedPeerId } : {};
}

/** The reactions to a message. */
export async function readReactions(
  call: CallContext,
  target: ReactionTarget,
): Promise<Map<number, GivenReactions>> {
  const found = await call.tx.read.hgetall(call.tx.key(reactionsKey(target)));
  return new Map(
    Object.entries(found).map(([userId, raw]) => [Number(userId), JSON.parse(raw) as GivenReactions]),
  );
}

/** The users' reactions, the latest first. */
export function listReactions(all: Reactions, viewerId: number) {
  const inOrder = [...all].sort(([a, one], [b, other]) => other.date - one.date || b - a);
  return inOrder.flatMap(([userId, { reactions, big, date }]) =>
    reactions.map((reaction) => ({
      _: 'messagePeerReaction' as const,
      peerId: { _: 'peerUser' as const, userId },
      date,
      reaction,
      ...(big ? { big } : {}),
      ...(userId === viewerId ? { my: true } : {}),
    })),
  );
}

/** The reactions as a user sees them; with the users who reacted, unless the message is a channel's post. */
export function viewReactions(
  all: Reactions,
  viewerId: number,
  { isPost }: { isPost: boolean },
): MessageReactions {
  const recent = listReactions(all, viewerId).slice(0, RECENT_MAX);
  return {
    _: 'messageReactions',
    results: countReactions(all, viewerId),
    ...(isPost ? {} : { canSeeList: true }),
    ...(isPost || recent.length === 0 ? {} : { recentReactions: recent }),
  };
}

function countReactions(all: Reactions, viewerId: number): MessageReactions['results'] {
  const counts = new Map<string, number>();
  for (const { reactions } of all.values()) {
    for (const { emoticon } of reactions) counts.set(emoticon, (counts.get(emoticon) ?? 0) + 1);
  }
  const own = all.get(viewerId)?.reactions.map(({ emoticon }) => emoticon) ?? [];
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.map(([emoticon, count]) => ({
    _: 'reactionCount',
    reaction: { _: 'reactionEmoji', emoticon },
    count,
    ...(own.includes(emoticon) ? { chosenOrder: own.indexOf(emoticon) + 1 } : {}),
  }));
}
