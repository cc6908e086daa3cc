import { DUE } from '../common/due.ts';
import type { Forgetting } from '../common/forget.ts';
import { SEQ } from '../common/keys.ts';
import { scheduledDatesKey, scheduledKey, scheduledSeq } from './keys.ts';

export const scheduled: Forgetting = {
  ownKeys: (userId) => [
    [scheduledKey(userId), 'h'],
    [scheduledDatesKey(userId), 'z'],
  ],
  async forget({ tx }, userId) {
    tx.zrem(DUE, userId);
    tx.hdel(SEQ, scheduledSeq(userId));
    return true;
  },
};
