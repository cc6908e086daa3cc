import type { Forgetting } from '../common/forget.ts';
import { seededQueryId } from './callbacks.ts';
import { botCommandsKey, botProfileKey, callbackKey } from './keys.ts';

export const bots: Forgetting = {
  ownKeys: (userId) => [
    [botCommandsKey(userId), 'h'],
    [botProfileKey(userId), 'h'],
    [callbackKey(userId, seededQueryId(userId)), 'h'],
  ],
};
