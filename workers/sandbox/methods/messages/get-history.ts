import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { WHOLE_HISTORY } from '../../examples/windows.ts';
import { toOffsetId } from '../../model/boxes/date-offset.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { readWindow } from '../../model/common/history-window.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { readPts } from '../../model/common/pts.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { ownThread } from '../../model/conversations/topics.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { boxOf } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

/**
 * The messages of a conversation, newest first: `messages.messages` if these are all, else a slice with the total number; for a channel,
 * `messages.channelMessages`.
 */
export const getHistory = defineMethod('messages.getHistory', async (params, call) => {
  const peer = await resolvePeer(call, params.peer, { left: true });
  const name = historyKey(call.account.userId, peer.key, ownThread(call, peer));
  const offsetId = await toOffsetId(call, name, boxOf(call, peer), params);
  const [{ ids, total, isWhole }, pts] = await Promise.all([
    readWindow(call, name, { ...params, offsetId }),
    peer.kind === 'channel' ? readPts(call, boxOf(call, peer)) : null,
  ]);
  if (params.hash !== '0' && params.hash === hashOfIds(ids)) {
    return { _: 'messages.messagesNotModified', count: total };
  }
  const messages = (await viewMessages(call, peer, ids, pageBudget())).filter((message) => message !== null);
  const list = await toMessageList(call, messages);
  if (pts !== null) return { ...list, _: 'messages.channelMessages', pts, count: total };
  return isWhole && messages.length === ids.length
    ? list
    : { ...list, _: 'messages.messagesSlice', count: total };
});

export const example: Example<'messages.getHistory'> = () => ({ peer: SELF, ...WHOLE_HISTORY });
