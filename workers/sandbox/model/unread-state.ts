import type { CallContext } from '../../driver.ts';
import { type PeerKey, type Thread, unreadKey } from './state-keys.ts';

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

/** How far the calling account, or another user, has read these conversations, in one read. */
export async function readUnread(
  call: CallContext,
  places: readonly Place[],
  userId = call.account.userId,
): Promise<UnreadState[]> {
  if (places.length === 0) return [];
  const fields = places.map(unreadField).flatMap((field) => [field, `read:${field}`, `seen:${field}`]);
  const found = await call.tx.read.hmget(call.tx.key(unreadKey(userId)), ...fields);
  const values = found.map((value) => Number(value ?? 0));
  return places.map((_, i) => ({
    count: values[i * 3] ?? 0,
    read: values[i * 3 + 1] ?? 0,
    seen: values[i * 3 + 2] ?? 0,
  }));
}
