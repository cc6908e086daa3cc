import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChat } from '../../examples/input-peers.ts';
import { ID_WINDOW } from '../../examples/windows.ts';
import { listIds } from '../../model/common/history-window.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { mentionsKey } from '../../model/conversations/keys.ts';
import { threadOfTopic } from '../../model/conversations/topics.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

/** The unread mentions of the account in a conversation, or in a forum's topic, newest first. */
export const getUnreadMentions = defineMethod('messages.getUnreadMentions', async (params, call) => {
  const peer = await resolvePeer(call, params.peer, { left: true });
  const thread = await threadOfTopic(call, peer, params.topMsgId);
  const ids = await listIds(call, mentionsKey(call.account.userId, peer.key, thread), params);
  const messages = (await viewMessages(call, peer, ids, pageBudget())).filter((message) => message !== null);
  return toMessageList(call, messages);
});

export const example: Example<'messages.getUnreadMentions'> = ({ ids }) => ({
  peer: peerChat(ids.chatId),
  ...ID_WINDOW,
});

export const difference =
  'Always answers `messages.messages`, never a slice. The general topic has no mentions from before the supergroup became a forum.';
