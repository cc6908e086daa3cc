import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from '../../../../workers/sandbox/model/boxes/messages.ts';
import type { PeerKey } from '../../../../workers/sandbox/model/common/keys.ts';
import type { Beside } from './missing-peers.ts';
import type { Replica, ThreadKey } from './replica.ts';

type Of<Name extends Update['_']> = Extract<Update, { _: Name }>;
type Taker<Name extends Update['_']> = (replica: Replica, update: Of<Name>, beside: Beside) => void;

/** Takes an update into a replica. Kinds that change nothing that it keeps are passed over. */
export function takeUpdate(replica: Replica, update: Update, beside: Beside): void {
  const take = TAKERS[update._] as Taker<Update['_']> | undefined;
  take?.(replica, update, beside);
}

export function keyOfPeer(peer: TlJson<tl.TypePeer>): PeerKey {
  if (peer._ === 'peerUser') return `u${peer.userId}`;
  return peer._ === 'peerChat' ? `g${peer.chatId}` : `c${peer.channelId}`;
}

const TAKERS: { [Name in Update['_']]?: Taker<Name> } = {
  updateChannel: (replica, { channelId }, { chats }) => {
    const chat = chats.find(({ id }) => id === channelId) as TlJson<tl.TypeChat> | undefined;
    if (chat?._ === 'channel' && !chat.left) replica.joined.add(`c${channelId}`);
    else replica.forget(`c${channelId}`);
  },
  updateChatParticipants: (replica, { participants }) => {
    const key: PeerKey = `g${participants.chatId}`;
    const isIn =
      participants._ === 'chatParticipants' &&
      participants.participants.some(({ userId }) => userId === replica.account.userId);
    if (!isIn) leaveGroup(replica, key);
  },

  updateNewMessage: (replica, { message }) => takeNew(replica, message),
  updateNewChannelMessage: (replica, { message }) => takeNew(replica, message),
  updateEditMessage: (replica, { message }) => takeEdited(replica, message),
  updateEditChannelMessage: (replica, { message }) => takeEdited(replica, message),
  updateDeleteMessages: (replica, { messages }) => {
    for (const id of messages) {
      const key = replica.placeInBox(id);
      if (key !== undefined) replica.remove(key, id);
    }
  },
  updateDeleteChannelMessages: (replica, { channelId, messages }) => {
    for (const id of messages) replica.remove(`c${channelId}`, id);
  },

  updateMessageReactions: (replica, { peer, msgId, reactions }) =>
    change(replica, keyOfPeer(peer), msgId, ({ reactions: _, ...message }) => ({
      ...message,
      ...(reactions.results.length > 0 ? { reactions } : {}),
    })),
  updatePinnedMessages: (replica, { peer, messages, pinned = false }) => {
    for (const id of messages) change(replica, keyOfPeer(peer), id, (one) => ({ ...one, pinned }));
  },
  updatePinnedChannelMessages: (replica, { channelId, messages, pinned = false }) => {
    for (const id of messages) change(replica, `c${channelId}`, id, (one) => ({ ...one, pinned }));
  },
  updateReadMessagesContents: (replica, { messages }) => {
    for (const id of messages) change(replica, replica.placeInBox(id), id, toRead);
  },
  updateChannelReadMessagesContents: (replica, { channelId, messages }) => {
    for (const id of messages) change(replica, `c${channelId}`, id, toRead);
  },
  updateChannelMessageForwards: (replica, { channelId, id, forwards }) =>
    change(replica, `c${channelId}`, id, (one) => ({ ...one, forwards })),
  updateMessagePoll: (replica, { pollId, results }) => {
    replica.polls.set(pollId, results);
    replica.stalePolls.delete(pollId);
  },

  updateReadHistoryInbox: (replica, { peer, maxId, stillUnreadCount }) => {
    replica.read.set(keyOfPeer(peer), maxId);
    replica.unread.set(keyOfPeer(peer), stillUnreadCount);
  },
  updateReadChannelInbox: (replica, { channelId, maxId, stillUnreadCount }) => {
    replica.read.set(`c${channelId}`, maxId);
    replica.unread.set(`c${channelId}`, stillUnreadCount);
  },
  updateReadHistoryOutbox: (replica, { peer, maxId }) => replica.seen.set(keyOfPeer(peer), maxId),
  updateReadChannelOutbox: (replica, { channelId, maxId }) => replica.seen.set(`c${channelId}`, maxId),
  updateReadChannelDiscussionInbox: (replica, { channelId, topMsgId, readMaxId }) =>
    replica.topicRead.set(`c${channelId}:${topMsgId}`, readMaxId),
  updateReadChannelDiscussionOutbox: (replica, { channelId, topMsgId, readMaxId }) =>
    replica.topicSeen.set(`c${channelId}:${topMsgId}`, readMaxId),

  updateDraftMessage: (replica, { peer, topMsgId, draft }) => {
    const key: ThreadKey = `${keyOfPeer(peer)}:${topMsgId ?? ''}`;
    if (draft._ === 'draftMessageEmpty') replica.drafts.delete(key);
    else replica.drafts.set(key, draft);
  },
};

function takeNew(replica: Replica, message: TlJson<tl.TypeMessage>): void {
  if (message._ !== 'messageEmpty') replica.add(keyOfPeer(message.peerId), message);
}

function takeEdited(replica: Replica, message: TlJson<tl.TypeMessage>): void {
  if (message._ !== 'messageEmpty') change(replica, keyOfPeer(message.peerId), message.id, () => message);
}

const toRead = (message: TlMessage): TlMessage => ({ ...message, mediaUnread: false });

function leaveGroup(replica: Replica, key: PeerKey): void {
  replica.drafts.delete(`${key}:`);
  for (const message of replica.messagesOf(key).values())
    if (message._ === 'message' && message.media?._ === 'messageMediaPoll')
      replica.stalePolls.add(message.media.poll.id);
}

function change(
  replica: Replica,
  key: PeerKey | undefined,
  id: number,
  toChanged: (message: TlMessage) => object,
): void {
  if (key === undefined) return;
  const message = replica.messagesOf(key).get(id);
  if (message) replica.messagesOf(key).set(id, toChanged(message) as TlMessage);
}
