import type { Forgetting } from '../common/forget.ts';
import { forgetSponsored } from './sponsored.ts';

export const sponsored: Forgetting = {
  // A bot may have sponsored messages.
  forget: (call, userId) => forgetSponsored(call, `u${userId}`),
  forgetChannel: (call, channelId) => forgetSponsored(call, `c${channelId}`),
};
