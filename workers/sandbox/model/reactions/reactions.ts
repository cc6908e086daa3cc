import type { tl } from '@mtcute/core';
import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { listPrivateCopies, type StoredMessage } from '../boxes/messages.ts';
import { countRead } from '../common/count-read.ts';
import type { UserBox } from '../common/keys.ts';
import type { Peer } from '../peers/peer.ts';
import { type ReactionTarget, reactionDaysKey, reactionsKey, TURN } from './keys.ts';

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
const BEFORE_DATE = ',"date":';
// A reaction conflicts with every call that observes the reactions at that moment. If many members react at once, none of their calls would
// finish. So a call observes them only until it has had this many conflicts; after that, its update may lack concurrent reactions.
const CONFLICTS_MAX = 2;

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
  { tx }: Pick<CallContext, 'tx'>,
  target: ReactionTarget,
): Promise<Map<number, GivenReactions>> {
  const found = await tx.read.hgetall(tx.key(reactionsKey(target)));
  countRead({ tx }, Object.values(found));
  return parseByUser(found);
}

/** The reactions to a message as they are stored: whoever reads those of many messages parses only what fits its budget. */
export interface StoredReactions {
  length: number;
  /** As the calling account sees them; null for none. */
  view(): MessageReactions | null;
}

/** Reads the reactions to a message; of a post, which does not show who has reacted, without the users. */
export async function readStoredReactions(
  { tx, account }: CallContext,
  target: ReactionTarget,
  { isPost }: { isPost: boolean },
): Promise<StoredReactions> {
  const [key, self] = [tx.key(reactionsKey(target)), account.userId];
  const [found, own] = await Promise.all([
    isPost ? tx.read.hvals(key) : tx.read.hgetall(key),
    isPost ? tx.read.hget(key, String(self)) : null,
  ]);
  const texts = Object.values(found);
  const length = lengthOf(texts);
  tx.charactersRead += length;
  const view = (): MessageReactions => {
    if (!Array.isArray(found)) return viewReactions(parseByUser(found), self, { isPost });
    const [ownReactions] = own === null ? [] : parseAll([own]);
    return { _: 'messageReactions', results: countReactions(parseAll(found), ownReactions) };
  };
  return { length, view: () => (length === 0 ? null : view()) };
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function parseByUser(found: Record<string, string>): Map<number, GivenReactions> {
  const given = parseAll(Object.values(found));
  return new Map(Object.keys(found).map((userId, i) => [Number(userId), given[i] as GivenReactions]));
}

// Many users give the same reaction, and their texts differ only in the date at the end: parse what comes before it once.
function parseAll(texts: readonly string[]): GivenReactions[] {
  const known = new Map<string, Omit<GivenReactions, 'date'>>();
  return texts.map((text) => {
    const end = text.lastIndexOf(BEFORE_DATE);
    const date = Number(text.slice(end + BEFORE_DATE.length, -1));
    if (end < 0 || Number.isNaN(date)) return JSON.parse(text) as GivenReactions;
    const before = text.slice(0, end);
    const given = known.get(before) ?? (JSON.parse(`${before}}`) as Omit<GivenReactions, 'date'>);
    known.set(before, given);
    return { reactions: given.reactions, big: given.big, date };
  });
}

/** The reactions to a channel's message; the commit fails if one changes meanwhile, unless the call has had two conflicts. */
export async function observePostReactions(
  { tx, conflicts }: CallContext,
  post: { channelId: number; msgId: number },
): Promise<Map<number, GivenReactions>> {
  const name = reactionDaysKey(post);
  const counting = tx.read.hget(tx.key(name), TURN);
  const reading = untilSent().then(() => readReactions({ tx }, `c${post.channelId}:${post.msgId}`));
  const [turn, all] = await Promise.all([counting, reading]);
  if (conflicts < CONFLICTS_MAX) tx.expectField(name, TURN, turn);
  return all;
}

/** The users' reactions, the latest first, of at most `most` users. */
export function listReactions(all: Reactions, viewerId: number, most = Number.POSITIVE_INFINITY) {
  const inOrder = [...all].sort(([a, one], [b, other]) => other.date - one.date || b - a);
  return inOrder.slice(0, most).flatMap(([userId, { reactions, big, date }]) =>
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
  const results = countReactions(all.values(), all.get(viewerId));
  if (isPost) return { _: 'messageReactions', results };
  // Each user has at least one reaction, so this many users are enough.
  const recent = listReactions(all, viewerId, RECENT_MAX).slice(0, RECENT_MAX);
  return {
    _: 'messageReactions',
    results,
    canSeeList: true,
    ...(recent.length === 0 ? {} : { recentReactions: recent }),
  };
}

function countReactions(
  all: Iterable<GivenReactions>,
  ofViewer: GivenReactions | undefined,
): MessageReactions['results'] {
  const counts = new Map<string, number>();
  for (const { reactions } of all) {
    for (const { emoticon } of reactions) counts.set(emoticon, (counts.get(emoticon) ?? 0) + 1);
  }
  const own = ofViewer?.reactions.map(({ emoticon }) => emoticon) ?? [];
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.map(([emoticon, count]) => ({
    _: 'reactionCount',
    reaction: { _: 'reactionEmoji', emoticon },
    count,
    ...(own.includes(emoticon) ? { chosenOrder: own.indexOf(emoticon) + 1 } : {}),
  }));
}
