import type { PeerKey } from '../common/keys.ts';

/**
 * The keys of basic groups and channels. The letters are those of `common/keys.ts`.
 *
 *   chats               hash: G -> ChatRecord
 *   former:G            set: U of everybody who has left a basic group, and may have messages of it
 *   channels            hash: C -> ChannelRecord
 *   members:C           hash: U -> MemberRecord
 *   joined:U            set: C of every channel the user is in
 *   left:U              set: G of every basic group that the user has left by itself, and may return to
 *   bans:C              hash: U -> Ban, of every user who may not do something in a channel, member or not
 *   kicked:C            sorted set: U of everybody who may not see it, by date
 *   restricted:C        sorted set: U of everybody else with a ban, by date
 *   slow:C              hash: U -> date of the last message, of members who post in slow mode; kept for an hour after the last
 *   events:cC           sorted set: ChannelEvent, by its pts: the last 2,000; kept for a month after the last
 *   closing             hash: C of a channel that was deleted, or that a reset removes -> what is still to be removed of it
 *   invites:<peer>      hash: hash of a link -> InviteRecord, of a basic group or channel
 */
export const CHATS = 'chats';
export const CHANNELS = 'channels';
export const CLOSING = 'closing';
export const CHANNEL_IDS = { counter: 'channel', records: CHANNELS } as const;
export const CHAT_IDS = { counter: 'chat', records: CHATS } as const;

/** The field of `seq` with the date of the last edit or deletion in a channel. */
export function changedField(channelId: number): string {
  return `changed:c${channelId}`;
}

/** The field of `seq` with the date when somebody last joined a channel. */
export function joinDateField(channelId: number): string {
  return `joined:c${channelId}`;
}

/** The field of `seq` that grows whenever a member joins or leaves a channel. */
export function membersField(channelId: number): string {
  return `members:c${channelId}`;
}

export function formerKey(chatId: number): string {
  return `former:${chatId}`;
}

export function leftKey(userId: number): string {
  return `left:${userId}`;
}

export function membersKey(channelId: number): string {
  return `members:${channelId}`;
}

export function joinedKey(userId: number): string {
  return `joined:${userId}`;
}

export function channelEventsKey(channelId: number): string {
  return `events:c${channelId}`;
}

export function slowKey(channelId: number): string {
  return `slow:${channelId}`;
}

export function bansKey(channelId: number): string {
  return `bans:${channelId}`;
}

/** Where banned users are listed. */
export function banListKey(channelId: number, kind: 'kicked' | 'restricted'): string {
  return `${kind}:${channelId}`;
}

export function invitesKey(peer: PeerKey): string {
  return `invites:${peer}`;
}
