import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { ID_WINDOW } from '../../examples/windows.ts';
import { listIds } from '../../model/common/history-window.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { pollVotesKey } from '../../model/conversations/keys.ts';
import { threadOfTopic } from '../../model/conversations/topics.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

/**
 * The account's polls in a conversation, or in a forum's topic, with votes that it has not seen, newest first. Error: `MSG_ID_INVALID` for
 * a topic that does not exist.
 */
export const getUnreadPollVotes = defineMethod('messages.getUnreadPollVotes', async (params, call) => {
  const peer = await resolvePeer(call, params.peer, { left: true });
  const thread = await threadOfTopic(call, peer, params.topMsgId);
  const ids = await listIds(call, pollVotesKey(call.account.userId, peer.key, thread), params);
  const messages = await viewMessages(call, peer, ids, pageBudget());
  return toMessageList(
    call,
    messages.filter((message) => message !== null),
  );
});

export const example: Example<'messages.getUnreadPollVotes'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  ...ID_WINDOW,
});

export const difference =
  'Always answers `messages.messages`, never a slice. The general topic has no votes in polls from before the supergroup became a forum.';
