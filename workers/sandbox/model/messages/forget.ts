import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import type { Forgetting } from '../common/forget.ts';
import { channelBox } from '../common/keys.ts';
import { reactedKey, reactionDaysKey, reactionsKey } from '../reactions/keys.ts';
import { postOf } from './forwards.ts';
import { forwardsKey } from './keys.ts';
import { removePublicForward } from './public-forwards.ts';

const WRITES_RESERVED = 60;
const AT_ONCE = 50;
// The writes of a post: its forwards, or its entry among another's forwards; two for reactions; its entry in the history.
const WRITES_OF_POST = 4;

/** The data of single posts outside the channel's own keys. */
export const messages: Forgetting = {
  async forgetChannel(call, channelId) {
    const { tx } = call;
    const history = historyKey(0, `c${channelId}`);
    const fitting = Math.min(AT_ONCE, Math.floor((tx.writesLeft - WRITES_RESERVED) / WRITES_OF_POST));
    const ids = await tx.read.zrange(tx.key(history), '0', String(fitting));
    const some = ids.slice(0, fitting);
    if (some.length === 0) return ids.length === 0;
    const [found, reacted] = await Promise.all([
      findMessages(call, channelBox(channelId), some),
      tx.read.smismember(tx.key(reactedKey(channelId)), ...some),
    ]);
    for (const [i, one] of found.entries()) if (one) forgetPost(call, channelId, one, reacted[i] === 1);
    if (ids.length <= fitting) return true;
    for (const id of some) tx.zrem(history, id);
    return false;
  },
};

function forgetPost(
  call: CallContext,
  channelId: number,
  { message }: FoundMessage,
  isReacted: boolean,
): void {
  const { tx } = call;
  const post = { channelId, msgId: message.id };
  if (isReacted) {
    tx.del(reactionsKey(`c${channelId}:${message.id}`), 'h');
    tx.del(reactionDaysKey(post), 'h');
  }
  if (message._ !== 'message') return;
  const origin = message.fwdFrom ? postOf(message) : null;
  if (origin) removePublicForward(call, origin, post);
  else if (message.post && message.forwards) tx.del(forwardsKey(post), 'z');
}
