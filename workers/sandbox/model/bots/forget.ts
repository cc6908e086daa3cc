import type { Forgetting } from '../common/forget.ts';
import { botCommandsKey } from './keys.ts';

export const bots: Forgetting = { ownKeys: (userId) => [[botCommandsKey(userId), 'h']] };
