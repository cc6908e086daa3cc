import type { Forgetting } from '../common/forget.ts';
import { forgetBlocks } from './blocks.ts';
import { forgetAllContacts } from './change-contacts.ts';
import { blocksKey, closeFriendsKey, eventsKey } from './keys.ts';

export const people: Forgetting = {
  ownKeys: (userId) => [
    [eventsKey(userId), 'z'],
    [blocksKey(userId), 'h'],
    [closeFriendsKey(userId), 's'],
  ],
  forget: async (call, userId) => (await forgetBlocks(call, userId)) && forgetAllContacts(call, userId),
};
