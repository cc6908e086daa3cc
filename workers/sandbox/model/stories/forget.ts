import type { Forgetting } from '../common/forget.ts';
import { channelBox, userBox } from '../common/keys.ts';
import { storiesKey } from './keys.ts';

export const stories: Forgetting = {
  ownKeys: (userId) => [[storiesKey(userBox(userId)), 'h']],
  channelKeys: (channelId) => [[storiesKey(channelBox(channelId)), 'h']],
};
