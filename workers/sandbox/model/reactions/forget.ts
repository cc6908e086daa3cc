import type { Forgetting } from '../common/forget.ts';
import { formerViewedKey, reactedKey, viewsKey } from './keys.ts';

export const reactions: Forgetting = {
  channelKeys: (channelId) => [
    [formerViewedKey(channelId), 's'],
    [viewsKey(channelId), 'h'],
    [reactedKey(channelId), 's'],
  ],
};
