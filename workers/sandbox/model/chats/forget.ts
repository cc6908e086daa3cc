import type { Forgetting } from '../common/forget.ts';
import { SEQ } from '../common/keys.ts';
import { USERNAMES } from '../people/keys.ts';
import { findChannels } from './chats.ts';
import { CHANNELS, joinedKey, membersKey } from './keys.ts';

export const chats: Forgetting = {
  ownKeys: (userId) => [[joinedKey(userId), 's']],
  channelKeys: (channelId) => [[membersKey(channelId), 'h']],
  async forgetChannel(call, channelId) {
    const { tx } = call;
    const [channel] = await findChannels(call, [channelId]);
    if (channel?.username) tx.hdel(USERNAMES, channel.username.toLowerCase());
    tx.hdel(CHANNELS, channelId);
    for (const counter of ['msg', 'pts', 'changed', 'story']) tx.hdel(SEQ, `${counter}:c${channelId}`);
    return true;
  },
};
