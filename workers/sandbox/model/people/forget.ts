import type { Forgetting } from '../common/forget.ts';
import { SEQ } from '../common/keys.ts';
import { forgetBlocks } from './blocks.ts';
import { forgetAllContacts } from './change-contacts.ts';
import { blocksKey, closeFriendsField, closeFriendsKey, eventsKey } from './keys.ts';

export const people: Forgetting = {
  ownKeys: (userId) => [
    [eventsKey(userId), 'z'],
    [blocksKey(userId), 'h'],
    [closeFriendsKey(userId), 's'],
  ],
  async forget(call, userId) {
    call.tx.hdel(SEQ, closeFriendsField(userId));
    return (await forgetBlocks(call, userId)) && forgetAllContacts(call, userId);
  },
};
