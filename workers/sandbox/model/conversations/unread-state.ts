import type { CallContext } from '../../../driver.ts';
import { cachePairNames } from '../common/cached-names.ts';
import { type PeerKey, SEQ, type Thread } from '../common/keys.ts';
import { unreadKey } from './keys.ts';

/** A conversation, or one thread of it. */
export interface ConversationPart {
  key: PeerKey;
  thread?: Thread | undefined;
}

/** How far a conversation was read. */
export interface UnreadState {
  /** Number of messages the account has not read. */
  count: number;
  /** Max id read by the account, and by the other side. */
  read: number;
  /** `read` as it is stored. */
  readMark: string | null;
  seen: number;
  /** Whether the account has marked it as unread itself. */
  marked: boolean;
}

/** The name of a conversation, or of one thread of it, in a user's unread state. */
export function unreadField({ key, thread }: ConversationPart): string {
  return thread === undefined ? key : `${key}:${thread}`;
}

const counterOf = cachePairNames((userId: number, peer: PeerKey) => `unread:${userId}:${peer}`);

/**
 * The hash and the field that count a user's unread messages of a conversation, or of one thread of it. Every message raises the counters
 * of conversations, so they are in the same hash as the other counters that it raises.
 */
export function unreadCounter(userId: number, part: ConversationPart): [name: string, field: string] {
  if (part.thread === undefined) return [SEQ, counterOf(userId, part.key)];
  return [unreadKey(userId), unreadField(part)];
}

/** Raises, or with a negative number lowers, the number of unread messages. */
export function countUnread({ tx }: CallContext, userId: number, part: ConversationPart, by: number): void {
  tx.hincrby(...unreadCounter(userId, part), by);
}

/** Counts messages of a conversation that are removed as unread no longer; the commit fails if it is read meanwhile, which counts them too. */
export function uncountUnread(
  call: CallContext,
  userId: number,
  part: ConversationPart,
  { state: { count, readMark }, removed }: { state: UnreadState; removed: number },
): void {
  const gone = Math.min(removed, count);
  if (gone <= 0) return;
  call.tx.expectField(unreadKey(userId), `read:${unreadField(part)}`, readMark);
  countUnread(call, userId, part, -gone);
}

/** How far the calling account, or another user, has read these conversations, in one read. */
export async function readUnread(
  call: CallContext,
  parts: readonly ConversationPart[],
  userId = call.account.userId,
): Promise<UnreadState[]> {
  if (parts.length === 0) return [];
  const { tx } = call;
  const marks = parts
    .map(unreadField)
    .flatMap((field) => ['read', 'seen', 'marked'].map((mark) => `${mark}:${field}`));
  const [counts, found] = await Promise.all([
    readUnreadCounts(call, parts, userId),
    tx.read.hmget(tx.key(unreadKey(userId)), ...marks),
  ]);
  return counts.map((count, i) => ({
    count,
    read: Number(found[i * 3] ?? 0),
    readMark: found[i * 3] ?? null,
    seen: Number(found[i * 3 + 1] ?? 0),
    marked: found[i * 3 + 2] !== null,
  }));
}

/** How many messages of these conversations the calling account, or another user, has not read. */
export async function readUnreadCounts(
  { tx, account }: CallContext,
  parts: readonly ConversationPart[],
  userId = account.userId,
): Promise<number[]> {
  const counters = parts.map((part) => unreadCounter(userId, part));
  const counts = await Promise.all(counters.map(([name, field]) => tx.read.hget(tx.key(name), field)));
  return counts.map((count) => Number(count ?? 0));
}

/** Marks a conversation as unread regardless of what was read, or removes the mark. */
export function setMarked({ tx, account }: CallContext, key: PeerKey, marked: boolean): void {
  if (marked) tx.hset(unreadKey(account.userId), markedField(key), '1');
  else tx.hdel(unreadKey(account.userId), markedField(key));
}

/** The field of a user's unread state that says that it has marked a conversation as unread. */
export function markedField(key: PeerKey): string {
  return `marked:${key}`;
}

/** Notes how far others have read a conversation of a user, or a thread of it; false if somebody had read it that far already. */
export async function noteSeen(
  { tx }: CallContext,
  userId: number,
  part: ConversationPart,
  maxId: number,
): Promise<boolean> {
  const [name, field] = [unreadKey(userId), `seen:${unreadField(part)}`];
  const seen = await tx.observe(name, field);
  if (Number(seen ?? 0) >= maxId) return false;
  tx.hset(name, field, String(maxId));
  return true;
}
