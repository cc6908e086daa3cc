/**
 * The keys of basic groups and channels. The letters are those of `common/keys.ts`.
 *
 *   chats               hash: G -> ChatRecord
 *   channels            hash: C -> ChannelRecord
 *   members:C           hash: U -> MemberRecord
 *   joined:U            set: C of every channel the user is in
 */
export const CHATS = 'chats';
export const CHANNELS = 'channels';
export const CHANNEL_IDS = { counter: 'channel', records: CHANNELS } as const;
export const CHAT_IDS = { counter: 'chat', records: CHATS } as const;

/** The counter of a channel that holds the date of the last edit or deletion in it. */
export function changedField(channelId: number): string {
  return `changed:c${channelId}`;
}

export function membersKey(channelId: number): string {
  return `members:${channelId}`;
}

export function joinedKey(userId: number): string {
  return `joined:${userId}`;
}
