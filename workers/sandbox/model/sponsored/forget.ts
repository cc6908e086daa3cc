import type { Forgetting } from '../common/forget.ts';
import { SPONSORED } from './keys.ts';
import { findSponsored, forgetIds } from './sponsored.ts';

export const sponsored: Forgetting = {
  async forgetChannel(call, channelId) {
    const peer = `c${channelId}` as const;
    const { messages } = await findSponsored(call, peer);
    forgetIds(call, messages);
    call.tx.hdel(SPONSORED, peer);
    return true;
  },
};
