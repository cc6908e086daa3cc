import type { MethodParams, MethodResult } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { expectOwnMember } from '../chats/channel-members.ts';
import { toTlChannel } from '../chats/chats.ts';
import { isAllowed } from '../chats/rights.ts';
import { topicsKey } from '../conversations/keys.ts';
import { findTopics, type TopicRecord, toTopicTitle } from '../conversations/topic-records.ts';
import { GENERAL_TOPIC_ID } from '../conversations/topics.ts';
import { postMessage } from '../messages/post-message.ts';
import { toPostedUpdates } from '../messages/posted-updates.ts';
import { findReply } from '../messages/replies.ts';
import type { ChannelPeer } from '../peers/peer.ts';

type Given = Omit<MethodParams<'messages.editForumTopic'>, '_' | 'peer'>;

const NO_ICON = '0';

/**
 * Changes a topic of a forum, with a service message. Errors: `TOPIC_ID_INVALID`, `CHAT_ADMIN_REQUIRED`, `TOPIC_NOT_MODIFIED`,
 * `TOPIC_TITLE_EMPTY`, `TOPIC_CLOSE_SEPARATELY`, `TOPIC_HIDE_SEPARATELY`, `NOGENERAL_HIDE_FORBIDDEN`, `GENERAL_MODIFY_ICON_FORBIDDEN`.
 */
export async function editTopic(
  call: CallContext,
  peer: ChannelPeer,
  given: Given,
): Promise<MethodResult<'messages.editForumTopic'>> {
  const { topicId } = given;
  const change = readChange(given);
  const [, [before]] = await Promise.all([
    call.tx.observe(topicsKey(peer.id), topicId),
    findTopics(call, peer, [topicId]),
  ]);
  if (!before) throw new MessengerError('TOPIC_ID_INVALID');
  requireEditor(call, peer, before, change);
  const changed = withChange(before, change);
  // A new topic has its fields in another order than one that was changed.
  if (JSON.stringify(changed) === JSON.stringify(withChange(before, {})))
    throw new MessengerError('TOPIC_NOT_MODIFIED');
  call.tx.hset(topicsKey(peer.id), topicId, changed);
  const isGeneral = topicId === GENERAL_TOPIC_ID;
  const reply = isGeneral
    ? undefined
    : await findReply(call, peer, { _: 'inputReplyToMessage', replyToMsgId: topicId });
  const action = { _: 'messageActionTopicEdit', ...change } as const;
  const options = { reply, thread: `t${topicId}` } as const;
  const posted = await postMessage(call, peer, { _: 'messageService', action }, options);
  return toPostedUpdates(call, peer, posted, {
    chat: toTlChannel(peer.channel, call.account.userId, peer.member),
  });
}

type Change = Partial<Pick<TopicRecord, 'title' | 'iconEmojiId' | 'closed' | 'hidden'>>;

function readChange({ topicId, title, iconEmojiId, closed, hidden }: Given): Change {
  const isGeneral = topicId === GENERAL_TOPIC_ID;
  const others = [title, iconEmojiId].filter((one) => one !== undefined).length;
  if (closed !== undefined && (others > 0 || hidden !== undefined))
    throw new MessengerError('TOPIC_CLOSE_SEPARATELY');
  if (hidden !== undefined && others > 0) throw new MessengerError('TOPIC_HIDE_SEPARATELY');
  if (hidden !== undefined && !isGeneral) throw new MessengerError('NOGENERAL_HIDE_FORBIDDEN');
  if (iconEmojiId !== undefined && isGeneral) throw new MessengerError('GENERAL_MODIFY_ICON_FORBIDDEN');
  return {
    ...(title === undefined ? {} : { title: toTopicTitle(title) }),
    ...(iconEmojiId === undefined ? {} : { iconEmojiId }),
    ...(closed === undefined ? {} : { closed }),
    ...(hidden === undefined ? {} : { hidden }),
  };
}

// The creator of a topic may change it too.
function requireEditor(call: CallContext, peer: ChannelPeer, topic: TopicRecord, { hidden }: Change): void {
  const isOwn = peer.member !== null && topic.creatorId === call.account.userId && hidden === undefined;
  if (!isOwn && !isAllowed(peer.member, 'manageTopics')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  expectOwnMember(call, peer);
}

// Unset fields are not stored. The general topic is closed when it is hidden, and shown when it is opened.
function withChange(
  { titleMissing, iconEmojiId, closed, hidden, ...before }: TopicRecord,
  change: Change,
): TopicRecord {
  const after = { iconEmojiId, closed, hidden, ...change };
  if (change.hidden) after.closed = true;
  if (change.closed === false) after.hidden = false;
  return {
    ...before,
    ...(titleMissing && after.title === undefined ? { titleMissing } : {}),
    ...(after.title === undefined ? {} : { title: after.title }),
    ...(after.iconEmojiId === undefined || after.iconEmojiId === NO_ICON
      ? {}
      : { iconEmojiId: after.iconEmojiId }),
    ...(after.closed ? { closed: true } : {}),
    ...(after.hidden ? { hidden: true } : {}),
  };
}
