import type { Forgetting } from '../common/forget.ts';
import { receiptsKey, requestedInfoKey } from './keys.ts';

export const payments: Forgetting = {
  ownKeys: (userId) => [
    [receiptsKey(userId), 'h'],
    [requestedInfoKey(userId), 'h'],
  ],
};
