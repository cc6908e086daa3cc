import type { Forgetting } from '../common/forget.ts';
import { PAYMENT_PROFILES, paidFormsKey, receiptsKey } from './keys.ts';
import { requestedInfoKeys } from './requested-info.ts';

export const payments: Forgetting = {
  ownKeys: (userId) => [
    [receiptsKey(userId), 'h'],
    [paidFormsKey(userId), 'h'],
  ],
  async forget({ tx, date }, userId) {
    for (const name of requestedInfoKeys(userId, date)) tx.del(name, 'h');
    tx.hdel(PAYMENT_PROFILES, userId);
    return true;
  },
};
