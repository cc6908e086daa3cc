import { cacheNames, cachePairNames } from '../common/cached-names.ts';
import type { Box, PeerKey, Thread } from '../common/keys.ts';

/**
 * The keys of conversations. The letters are those of `common/keys.ts`.
 *
 *   topics:C            hash: topic id -> TopicRecord, of the general topic once it was changed; `pinned` -> ids of the pinned topics
 *   threads:<box>:<peer> sorted set: threads of a conversation, by the date of the last message
 *   dialogs:U           sorted set: peer keys, by the date of the last message
 *   unread:U            hash: `read:<peer>` and `seen:<peer>` -> max id read by U, and by others; with `:<thread>` for those of a thread;
 *                       `marked:<peer>` of a dialog that U has marked as unread; `<peer>:<thread>` -> unread messages of a thread
 *   sent:U:<peer>       sorted set: ids of messages that U itself sent to a conversation, by id; `:<thread>` for those of a thread
 *   mentions:U:<peer>   sorted set: ids of messages with an unread mention of U, by id; `:<thread>` for those of a thread
 *   poll-votes:U:<peer> sorted set: ids of the messages of U's polls with votes U has not seen; `:<thread>` for those of a thread
 *   pinned:U:<peer>     sorted set: ids of the pinned messages of a private chat or basic group in an account's box, by id
 *   pinned:cC           sorted set: ids of the pinned messages of a channel, by id
 *   drafts:U            hash: peer key, or `<peer>:<thread>` -> what U has begun to write there
 *   draft-dates:U       sorted set: the same fields, by the date of the draft
 *   emptied:U           set: G of basic groups of which U has deleted its last message; it may be in them all the same. They stay here until a
 *                       reset, also if U leaves them or gets new messages there
 *   folders:U           hash: folder id -> Folder; `order` -> the ids in their order, where there are any
 *   archived:U          set: peer keys of the dialogs in the archive
 */
export function topicsKey(channelId: number): string {
  return `topics:${channelId}`;
}

export function threadsKey(box: Box, peer: PeerKey): string {
  return `threads:${box}:${peer}`;
}

export const dialogsKey = cacheNames((userId: number) => `dialogs:${userId}`);

export function unreadKey(userId: number): string {
  return `unread:${userId}`;
}

const sentToKey = cachePairNames((userId: number, peer: PeerKey) => `sent:${userId}:${peer}`);

/** What a user itself sent to a conversation, or to a thread of it. */
export function sentKey(userId: number, peer: PeerKey, thread?: Thread): string {
  return thread === undefined ? sentToKey(userId, peer) : `sent:${userId}:${peer}:${thread}`;
}

export function mentionsKey(userId: number, peer: PeerKey, thread?: Thread): string {
  return thread === undefined ? `mentions:${userId}:${peer}` : `mentions:${userId}:${peer}:${thread}`;
}

export function pollVotesKey(userId: number, peer: PeerKey, thread?: Thread): string {
  return thread === undefined ? `poll-votes:${userId}:${peer}` : `poll-votes:${userId}:${peer}:${thread}`;
}

export function pinnedKey(userId: number, peer: PeerKey): string {
  return peer.startsWith('c') ? `pinned:${peer}` : `pinned:${userId}:${peer}`;
}

export function draftsKey(userId: number): string {
  return `drafts:${userId}`;
}

export function draftDatesKey(userId: number): string {
  return `draft-dates:${userId}`;
}

export function foldersKey(userId: number): string {
  return `folders:${userId}`;
}

export function archivedKey(userId: number): string {
  return `archived:${userId}`;
}

export function emptiedKey(userId: number): string {
  return `emptied:${userId}`;
}
