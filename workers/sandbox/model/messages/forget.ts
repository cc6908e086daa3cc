import type { CallContext } from '../../../driver.ts';
import { COPIES, historyKey } from '../boxes/keys.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import type { Forgetting } from '../common/forget.ts';
import { type Box, channelBox, type PeerKey, userBox } from '../common/keys.ts';
import { forgetViewers } from '../reactions/forget-viewers.ts';
import { reactedKey, reactionDaysKey, reactionsKey } from '../reactions/keys.ts';
import { removeForward } from './channel-forwards.ts';
import { postOf } from './forwards.ts';
import { forwardsKey } from './keys.ts';

/** How many messages are removed in a commit. */
interface Portion {
  most: number;
  /** The writes that are left to what else is removed with them. */
  reserved: number;
  writesOfOne: number;
}

// The writes of a post: its forwards, or its entry among another's forwards; two for reactions; three for who has viewed or heard it; its
// entry in the history.
const POSTS: Portion = { most: 50, reserved: 60, writesOfOne: 7 };

// Of a basic group's message: the copy set, the reactions, and the entry in the history if the commit does not remove the whole. Its calls
// and invite links end with it.
const GROUP_MESSAGES: Portion = { most: 100, reserved: 80, writesOfOne: 3 };

// A call that has read so much leaves the rest to the next one. Few are read at a time: each may be large.
const CHARACTERS_MAX = 3 * 1024 * 1024;
const READ_AT_ONCE = 10;

/** The data of single posts outside the channel's own keys. */
export const messages: Forgetting = {
  async forgetChannel(call, channelId) {
    const { tx } = call;
    const history = historyKey(0, `c${channelId}`);
    const { ids, found, areAll } = await firstOf(call, channelBox(channelId), history, POSTS);
    if (ids.length === 0) return areAll;
    const reacted = await tx.read.smismember(tx.key(reactedKey(channelId)), ...ids);
    for (const [i, one] of found.entries()) if (one) forgetPost(call, channelId, one, reacted[i] === 1);
    if (!areAll) for (const id of ids) tx.zrem(history, id);
    return areAll;
  },
};

/**
 * Removes what is kept of the messages of a basic group that ends with its last user, `userId`, beside their copies: the copy sets and the
 * reactions. False if there are more than fit the commit: those done are then removed from the user's history, so that the next call goes
 * on behind them.
 */
export async function forgetGroupMessages(
  call: CallContext,
  userId: number,
  group: PeerKey,
): Promise<boolean> {
  const { tx } = call;
  const history = historyKey(userId, group);
  const { ids, found, areAll } = await firstOf(call, userBox(userId), history, GROUP_MESSAGES);
  for (const one of found) {
    if (one?.copies === undefined) continue;
    tx.hdel(COPIES, one.copies);
    // A copy of somebody who has left the group does not show what others have reacted since.
    tx.del(reactionsKey(`x${one.copies}`), 'h');
  }
  if (!areAll) for (const id of ids) tx.zrem(history, id);
  return areAll;
}

/** The first messages of a history, as many as the commit has room for and the call may read, and whether these are all. */
async function firstOf(
  call: CallContext,
  box: Box,
  history: string,
  { most, reserved, writesOfOne }: Portion,
): Promise<{ ids: string[]; found: (FoundMessage | null)[]; areAll: boolean }> {
  const { tx } = call;
  const fitting = Math.min(most, Math.floor((tx.writesLeft - reserved) / writesOfOne));
  const all = await tx.read.zrange(tx.key(history), '0', String(fitting));
  const ids = all.slice(0, fitting);
  const found: (FoundMessage | null)[] = [];
  while (found.length < ids.length && tx.charactersRead < CHARACTERS_MAX) {
    const some = ids.slice(found.length, found.length + READ_AT_ONCE);
    found.push(...(await findMessages(call, box, some)));
  }
  return { ids: ids.slice(0, found.length), found, areAll: found.length === all.length };
}

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
  forgetViewers(call, post, message);
  if (message._ !== 'message') return;
  const origin = message.fwdFrom ? postOf(message) : null;
  if (origin) removeForward(call, origin, post);
  else if (message.post && message.forwards) tx.del(forwardsKey(post), 'z');
}
