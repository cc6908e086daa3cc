import type { CallContext } from '../../../driver.ts';
import { type PeerKey, SEQ, type Thread } from '../common/keys.ts';
import { unreadKey } from './keys.ts';

/** A conversation, or one thread of it. */
export interface Place {
  key: PeerKey;
  thread?: Thread | undefined;
}

/** How far a conversation was read. */
export interface UnreadState {
  /** Number of messages the account has not read. */
  count: number;
  /** Max id read by the account, and by the other side. */
  read: number;
  seen: number;
}

/** The name of a conversation, or of one thread of it, in a user's unread state. */
export function unreadField({ key, thread }: Place): string {
  return thread === undefined ? key : `${key}:${thread}`;
}

/**
 * The hash and the field where a user's unread messages of a conversation, or of one thread of it, are counted. Those of
 * conversations are raised by every message, and are therefore with the counters that it raises anyway.
 */
export function unreadCounter(userId: number, place: Place): [name: string, field: string] {
  const field = unreadField(place);
  return place.thread === undefined ? [SEQ, `unread:${userId}:${field}`] : [unreadKey(userId), field];
}

/** Counts more, or with a negative number less, messages as unread. */
export function countUnread({ tx }: CallContext, userId: number, place: Place, by: number): void {
  tx.hincrby(...unreadCounter(userId, place), by);
}

/** How far the calling account, or another user, has read these conversations, in one read. */
export async function readUnread(
  call: CallContext,
  places: readonly Place[],
  userId = call.account.userId,
): Promise<UnreadState[]> {
  if (places.length === 0) return [];
  const { tx } = call;
  const marks = places.map(unreadField).flatMap((field) => [`read:${field}`, `seen:${field}`]);
  const [counts, found] = await Promise.all([
    readUnreadCounts(call, places, userId),
    tx.read.hmget(tx.key(unreadKey(userId)), ...marks),
  ]);
  return counts.map((count, i) => ({
    count,
    read: Number(found[i * 2] ?? 0),
    seen: Number(found[i * 2 + 1] ?? 0),
  }));
}

/** How many messages of these conversations the calling account, or another user, has not read. */
export async function readUnreadCounts(
  { tx, account }: CallContext,
  places: readonly Place[],
  userId = account.userId,
): Promise<number[]> {
  const counters = places.map((place) => unreadCounter(userId, place));
  const counts = await Promise.all(counters.map(([name, field]) => tx.read.hget(tx.key(name), field)));
  return counts.map((count) => Number(count ?? 0));
}
