import { defineMethod } from '../../driver.ts';
import { listIds } from '../model/history-window.ts';
import { toMessageList } from '../model/message-list.ts';
import { resolvePeer } from '../model/peers.ts';
import { aPageBudget } from '../model/read-budget.ts';
import { viewMessages } from '../model/read-messages.ts';
import { mentionsKey } from '../model/state-keys.ts';
import { threadOfTopic } from '../model/topics.ts';

/** The messages of a conversation, or of a forum's topic, that mention the account and that it has not read, newest first. */
export const getUnreadMentions = defineMethod('messages.getUnreadMentions', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  const thread = await threadOfTopic(call, peer, params.topMsgId);
  const ids = await listIds(call, mentionsKey(call.account.userId, peer.key, thread), params);
  const messages = (await viewMessages(call, peer, ids, aPageBudget())).filter((message) => message !== null);
  return toMessageList(call, messages);
});
