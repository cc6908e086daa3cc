import type { Forgetting } from '../common/forget.ts';
import { reactedKey, viewedKey, viewsKey } from './keys.ts';

export const reactions: Forgetting = {
  channelKeys: (channelId) => [
    [viewedKey(channelId), 's'],
    [viewsKey(channelId), 'h'],
    [reactedKey(channelId), 's'],
  ],
};
