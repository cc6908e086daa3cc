/**
 * What the keys of a workspace's sandbox messenger have in common; each subject has its own in its `keys.ts`.
 *
 * `U` is a user id, `C` a channel id, `G` a basic group id. A box is `uU` (an account's private chats and basic groups) or `cC` (a
 * channel). A peer key is `uU`, `gG` or `cC`. A thread is a part of a conversation: `tN` a forum's topic; `uU`, `gG` or `cC` in an account's
 * own chat what was saved from that peer, in a monoforum the messages with that user. The functions return names within the workspace,
 * of which `tx.key` makes Redis keys. Names are made of ids that are known when the call runs, never of a counter's placeholder: ids of
 * users, basic groups and channels come from `takeIds`, that of a topic's first message from `takeMessageId`.
 *
 *   seq                 hash: counters. `user`, `chat`, `channel`: how many ids are given, or passed over; `copies`: last copy set;
 *                       `msg:<box>`: last message id; `pts:<box>`: pts of an account or a channel;
 *                       `changed:cC`: when something was last edited or deleted in a channel;
 *                       `joined:cC`: when somebody last came to a channel;
 *                       `members:cC`: how often somebody came to a channel or went;
 *                       `blocks:U`: how often U has blocked somebody since its last reset;
 *                       `friends:U`: how often U has changed the list of its close friends since its last reset;
 *                       `qts:uU`: how many updates a bot got that are not about a message;
 *                       `unread:U:<peer>`: how many messages of a conversation U has not read;
 *                       `collectible`: as ids; `issued`: how many collectible gifts were made; `gift`, `resale`: last positions
 *                       in the orders in which gifts came and were priced; `layout`: a long value, which makes it a hash table
 */
export const SEQ = 'seq';

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
