import type { Forgetting } from '../common/forget.ts';
import { forgetBlocks } from './blocks.ts';
import { blocksKey, closeFriendsKey, contactsKey, eventsKey } from './keys.ts';

export const people: Forgetting = {
  ownKeys: (userId) => [
    [eventsKey(userId), 'z'],
    [contactsKey(userId), 'h'],
    [blocksKey(userId), 'h'],
    [closeFriendsKey(userId), 's'],
  ],
  forget: forgetBlocks,
};
