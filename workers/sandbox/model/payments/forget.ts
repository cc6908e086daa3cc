import type { Forgetting } from '../common/forget.ts';
import { PAYMENT_PROFILES, paidFormsKey, receiptsKey, requestedInfoKey } from './keys.ts';

export const payments: Forgetting = {
  ownKeys: (userId) => [
    [receiptsKey(userId), 'h'],
    [requestedInfoKey(userId), 'h'],
    [paidFormsKey(userId), 'h'],
  ],
  async forget({ tx }, userId) {
    tx.hdel(PAYMENT_PROFILES, userId);
    return true;
  },
};
