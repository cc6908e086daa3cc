import type { Forgetting } from '../common/forget.ts';
import { botCommandsKey, botProfileKey } from './keys.ts';

export const bots: Forgetting = {
  ownKeys: (userId) => [
    [botCommandsKey(userId), 'h'],
    [botProfileKey(userId), 'h'],
  ],
};
