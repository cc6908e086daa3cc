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
export const CHANNEL_IDS = { counter: 'channel', records: CHANNELS };
export const CHAT_IDS = { counter: 'chat', records: CHATS };

export function membersKey(channelId: number): string {
  return `members:${channelId}`;
}

export function joinedKey(userId: number): string {
  return `joined:${userId}`;
}
