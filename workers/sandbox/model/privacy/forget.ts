import type { Forgetting } from '../common/forget.ts';
import { privacyKey } from './keys.ts';

export const privacy: Forgetting = { ownKeys: (userId) => [[privacyKey(userId), 'h']] };
