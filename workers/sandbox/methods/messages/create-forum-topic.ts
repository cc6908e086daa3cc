import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { checkRandomIds } from '../../model/boxes/random-ids.ts';
import { isAllowed, isForbidden } from '../../model/chats/rights.ts';
import { channelBox } from '../../model/common/keys.ts';
import { takeMessageId } from '../../model/common/take-ids.ts';
import { topicsKey } from '../../model/conversations/keys.ts';
import { ICON_COLORS, type TopicRecord, toTopicTitle } from '../../model/conversations/topic-records.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { toSentUpdates } from '../../model/messages/sent-updates.ts';
import { refuseSendAs } from '../../model/peers/refuse-send-as.ts';
import { resolveForum } from '../../model/peers/resolve-forum.ts';

/**
 * Opens a topic in a forum with a service message, whose id is the topic's. Errors: `CHANNEL_FORUM_MISSING`, `PEER_ID_INVALID`,
 * `TOPIC_TITLE_EMPTY`, `RANDOM_ID_DUPLICATE`, `SEND_AS_PEER_INVALID`.
 */
export const createForumTopic = defineMethod('messages.createForumTopic', async (params, call) => {
  const title = toTopicTitle(params.title);
  const [peer, recordSent] = await Promise.all([
    resolveForum(call, params.peer),
    checkRandomIds(call, params.randomId),
    refuseSendAs(call, params.sendAs),
  ]);
  const mayOpen = isAllowed(peer.member, 'manageTopics');
  const isBanned =
    peer.channel.defaultBan?.manageTopics || isForbidden(peer.member?.ban, 'manageTopics', call.date);
  if (!mayOpen && isBanned) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const id = await takeMessageId(call, channelBox(peer.id));
  const known = params.iconColor !== undefined && ICON_COLORS.includes(params.iconColor);
  const iconColor = known ? (params.iconColor as number) : (ICON_COLORS[0] as number);
  const icon = {
    iconColor,
    ...(params.iconEmojiId === undefined ? {} : { iconEmojiId: params.iconEmojiId }),
    ...(params.titleMissing ? { titleMissing: true } : {}),
  };
  const topic: TopicRecord = { title, ...icon, creatorId: call.account.userId, date: call.date };
  call.tx.hset(topicsKey(peer.id), id, topic);
  const action = { _: 'messageActionTopicCreate', title, ...icon } as const;
  const options = { thread: `t${id}`, id } as const;
  const posted = await postMessage(call, peer, { _: 'messageService', action }, options);
  recordSent(params.randomId, posted.message.id);
  return toSentUpdates(call, peer, { ...posted, randomId: params.randomId });
});

export const example: Example<'messages.createForumTopic'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  title: 'News',
});
