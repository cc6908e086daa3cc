import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import type { Thread } from '../../model/common/keys.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { GENERAL_TOPIC_ID } from '../../model/conversations/topics.ts';
import { readUnread } from '../../model/conversations/unread-state.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

/**
 * The first message of a thread of a supergroup, and how far the account has read the thread. Errors: `PEER_ID_INVALID` for a peer that is
 * not a channel, `MSG_ID_INVALID` for unknown messages and for posts, which have no discussion.
 */
export const getDiscussionMessage = defineMethod(
  'messages.getDiscussionMessage',
  async ({ peer: input, msgId }, call) => {
    const peer = await resolvePeer(call, input);
    if (peer.kind !== 'channel') throw new MessengerError('PEER_ID_INVALID');
    const found = await getMessage(call, peer, msgId, 'MSG_ID_INVALID');
    if (peer.channel.kind !== 'megagroup') throw new MessengerError('MSG_ID_INVALID');
    const thread: Thread | undefined = peer.channel.forum ? found.thread : undefined;
    const first = Number(thread?.slice(1) ?? msgId);
    // The general topic has no first message.
    const rootId = first === GENERAL_TOPIC_ID ? msgId : first;
    const self = call.account.userId;
    const [messages, [topId = 0], [unread]] = await Promise.all([
      viewMessages(call, peer, [rootId]),
      readTopIds(call, [historyKey(self, peer.key, thread)]),
      readUnread(call, [{ key: peer.key, thread }]),
    ]);
    const root = messages.filter((message) => message !== null);
    const { messages: shown, users, chats } = await toMessageList(call, root);
    return {
      _: 'messages.discussionMessage',
      messages: shown,
      maxId: topId,
      readInboxMaxId: unread?.read ?? 0,
      readOutboxMaxId: unread?.seen ?? 0,
      unreadCount: unread?.count ?? 0,
      users,
      chats,
    };
  },
);

export const example: Example<'messages.getDiscussionMessage'> = async (context) => {
  const { call, ids } = context;
  const [msgId] = await readTopIds(call, [historyKey(0, `c${ids.forumId}`)]);
  return msgId ? { peer: await peerChannel(context, 'forumId'), msgId } : null;
};

export const difference =
  'Channels have no discussion groups; but for forums the whole supergroup is the thread.';
