import { defineMethod } from '../../driver.ts';
import { listIds } from '../model/history-window.ts';
import { toMessageList } from '../model/message-list.ts';
import { resolvePeer } from '../model/peers.ts';
import { viewMessages } from '../model/read-messages.ts';
import { historyKey } from '../model/state-keys.ts';

/** The messages of a conversation, newest first. */
export const getHistory = defineMethod('messages.getHistory', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  const ids = await listIds(call, historyKey(call.account.userId, peer.key), params);
  const messages = (await viewMessages(call, peer, ids)).filter((message) => message !== null);
  const { offsetDate } = params;
  const dated = offsetDate > 0 ? messages.filter(({ date }) => date < offsetDate) : messages;
  return toMessageList(call, dated);
});
