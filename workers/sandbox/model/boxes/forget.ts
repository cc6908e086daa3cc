import type { Forgetting } from '../common/forget.ts';
import { channelBox, userBox } from '../common/keys.ts';
import { formerConsumedKey, historyKey, messagesKey } from './keys.ts';

/** The messages of a user, and those of a channel with their history. */
export const boxes: Forgetting = {
  ownKeys: (userId) => [[messagesKey(userBox(userId)), 'h']],
  channelKeys: (channelId) => [
    [messagesKey(channelBox(channelId)), 'h'],
    [historyKey(0, `c${channelId}`), 'z'],
    [formerConsumedKey(channelId), 's'],
  ],
};
