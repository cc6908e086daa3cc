/**
 * Every key of a workspace's sandbox messenger. `U` is a user id, `C` a channel id, `G` a basic group id; a box is `uU` (an
 * account's private chats and basic groups) or `cC` (a channel); a peer key is `uU`, `gG` or `cC`; a thread is a part of a
 * conversation: `tN` a forum's topic, `uU`, `gG` or `cC` in the own chat what was saved from that peer, in a monoforum the talk
 * with that user. Key names are made of ids that are known when the call runs, never of a counter's placeholder: ids of users,
 * basic groups and channels come from `takeIds`, that of a topic's first message from `takeMessageId`.
 *
 *   seq                 hash: counters. `user`, `chat`, `channel`: how many ids are given, or passed over; `copies`: last copy set;
 *                       `msg:<box>`: last message id; `pts:<box>`: pts of an account or a channel
 *   users               hash: U -> UserRecord
 *   usernames           hash: lower-case username -> peer key
 *   accounts            hash: messenger account id -> U
 *   contacts:U          hash: user id -> ContactRecord, of each contact of U
 *   chats               hash: G -> ChatRecord
 *   channels            hash: C -> ChannelRecord
 *   members:C           hash: U -> MemberRecord
 *   joined:U            set: C of every channel the user is in
 *   messages:<box>      hash: message id -> StoredMessage
 *   copies              hash: copy set -> { box: message id } of the copies of one message in the boxes of accounts
 *   history:U:<peer>    sorted set: message ids of one dialog in an account's box, by id; `:<thread>` for those of a thread
 *   history:cC          sorted set: message ids of a channel, by id; `:<thread>` for those of a thread
 *   threads:<box>:<peer> sorted set: threads of a conversation, by the date of the last message
 *   dialogs:U           sorted set: peer keys, by the date of the last message
 *   unread:U            hash: peer key, or `<peer>:<thread>` -> number of unread messages; `read:<peer>` and `seen:<peer>` ->
 *                       max id read by the account, and by the other side
 *   mentions:U:<peer>   sorted set: ids of messages with an unread mention of U, by id; `:<thread>` for those of a thread
 *   consumed:C          set: `U:<message id>` of a voice message or video of a channel that U has heard or seen
 *   forwards:cC:N       sorted set: `<channel>:<message id>` of public channels that post N of channel C was forwarded to, by date
 *   random:U:<day>      hash: randomId of a message the user sent that day -> its id; kept for two days
 *   files:U:F           hash: part number -> base64, of an uploaded file
 *   sizes:U:F           hash: part number -> bytes; `claimed` once a message refers to the file
 *   documents           hash: document id -> DocumentRecord
 *   payment-profiles    hash: U -> PaymentProfile
 *   invoices            hash: invoice id -> InvoiceRecord
 *   receipts:U          hash: id of the service message by which U paid, in U's box -> ReceiptRecord
 *   requested-info:U    hash: id -> ValidatedInfo; kept for a day after the last
 *   faults              hash: messenger account id -> what is to be injected
 */
export const SEQ = 'seq';
export const USERS = 'users';
export const USERNAMES = 'usernames';
export const ACCOUNTS = 'accounts';
export const CHATS = 'chats';
export const CHANNELS = 'channels';
export const COPIES = 'copies';
export const DOCUMENTS = 'documents';
export const PAYMENT_PROFILES = 'payment-profiles';
export const INVOICES = 'invoices';
export const FAULTS = 'faults';

export type UserBox = `u${number}`;
export type ChannelBox = `c${number}`;
export type Box = UserBox | ChannelBox;
export type PeerKey = `u${number}` | `g${number}` | `c${number}`;
export type Thread = `t${number}` | PeerKey;

export function userBox(userId: number): UserBox {
  return `u${userId}`;
}

export function channelBox(channelId: number): ChannelBox {
  return `c${channelId}`;
}

export function messagesKey(box: Box): string {
  return `messages:${box}`;
}

/** The dialog of a user with a peer, or a thread of it; a channel has one history for all. */
export function historyKey(userId: number, peer: PeerKey, thread?: Thread): string {
  const dialog = peer.startsWith('c') ? `history:${peer}` : `history:${userId}:${peer}`;
  return thread === undefined ? dialog : `${dialog}:${thread}`;
}

export function threadsKey(box: Box, peer: PeerKey): string {
  return `threads:${box}:${peer}`;
}

export function mentionsKey(userId: number, peer: PeerKey, thread?: Thread): string {
  return thread === undefined ? `mentions:${userId}:${peer}` : `mentions:${userId}:${peer}:${thread}`;
}

export function consumedKey(channelId: number): string {
  return `consumed:${channelId}`;
}

export function forwardsKey({ channelId, msgId }: { channelId: number; msgId: number }): string {
  return `forwards:c${channelId}:${msgId}`;
}

export function dialogsKey(userId: number): string {
  return `dialogs:${userId}`;
}

export function unreadKey(userId: number): string {
  return `unread:${userId}`;
}

export function contactsKey(userId: number): string {
  return `contacts:${userId}`;
}

export function membersKey(channelId: number): string {
  return `members:${channelId}`;
}

export function joinedKey(userId: number): string {
  return `joined:${userId}`;
}

export function randomKey(userId: number, day: number): string {
  return `random:${userId}:${day}`;
}

export function fileKey(userId: number, fileId: string): string {
  return `files:${userId}:${fileId}`;
}

export function fileSizesKey(userId: number, fileId: string): string {
  return `sizes:${userId}:${fileId}`;
}

export function receiptsKey(userId: number): string {
  return `receipts:${userId}`;
}

export function requestedInfoKey(userId: number): string {
  return `requested-info:${userId}`;
}
