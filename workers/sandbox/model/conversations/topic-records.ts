import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { findMessages } from '../boxes/messages.ts';
import { cutText } from '../common/cut-text.ts';
import { channelBox, type Thread } from '../common/keys.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { draftPart, findDrafts } from './drafts.ts';
import { mentionsKey, pollVotesKey, topicsKey } from './keys.ts';
import { NOTIFY_SETTINGS } from './notify-settings.ts';
import { readPinnedTopics } from './pinned-topics.ts';
import { readTopIds } from './top-messages.ts';
import { GENERAL_TOPIC_ID } from './topics.ts';
import { readUnread } from './unread-state.ts';

/** A topic of a forum; its id is that of its first message. */
export interface TopicRecord {
  title: string;
  iconColor: number;
  iconEmojiId?: string;
  titleMissing?: boolean;
  creatorId: number;
  date: number;
  /** Whether only administrators and its creator may write to it. */
  closed?: boolean;
  /** Only for the general topic. */
  hidden?: boolean;
}

export type TlTopic = TlJson<tl.RawForumTopic>;

/** The colours Telegram has for topics without an emoji; the first is the default. */
export const ICON_COLORS: readonly number[] = [0x6fb9f0, 0xffd67e, 0xcb86db, 0x8eee98, 0xff93b2, 0xfb6f5f];

const TITLE_MAX = 128;

/** The title of a topic as it is kept: trimmed, and cut to 128 characters. Error: `TOPIC_TITLE_EMPTY`. */
export function toTopicTitle(given: string): string {
  const title = cutText(given, TITLE_MAX);
  if (title === '') throw new MessengerError('TOPIC_TITLE_EMPTY');
  return title;
}

/** Topics of a forum, null for those that do not exist. The general topic always exists; it is stored once it was changed. */
export async function findTopics(
  call: CallContext,
  { id, channel }: ChannelPeer,
  topicIds: readonly number[],
): Promise<(TopicRecord | null)[]> {
  if (topicIds.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(topicsKey(id)), ...topicIds.map(String));
  const general = {
    title: 'General',
    iconColor: ICON_COLORS[0] as number,
    creatorId: channel.creatorId,
    date: channel.date,
  };
  return found.map((raw, i) => {
    if (raw !== null) return JSON.parse(raw) as TopicRecord;
    return topicIds[i] === GENERAL_TOPIC_ID ? general : null;
  });
}

/** These topics as the calling account sees them. */
export async function viewTopics(
  call: CallContext,
  peer: ChannelPeer,
  topics: readonly { id: number; topic: TopicRecord }[],
): Promise<TlTopic[]> {
  const self = call.account.userId;
  const threads = topics.map(({ id }): Thread => `t${id}`);
  const { read } = call.tx;
  const [pinned, topIds, unread, drafts, mentions, votes] = await Promise.all([
    readPinnedTopics(call, peer.id),
    readTopIds(
      call,
      threads.map((thread) => historyKey(self, peer.key, thread)),
    ),
    readUnread(
      call,
      threads.map((thread) => ({ key: peer.key, thread })),
    ),
    findDrafts(
      call,
      threads.map((thread) => draftPart(call, peer, thread)),
    ),
    Promise.all(threads.map((thread) => read.zcard(call.tx.key(mentionsKey(self, peer.key, thread))))),
    Promise.all(threads.map((thread) => read.zcard(call.tx.key(pollVotesKey(self, peer.key, thread))))),
  ]);
  const isEmpty = topics.some(({ id }, i) => id === GENERAL_TOPIC_ID && !topIds[i]);
  const earlier = isEmpty ? await findEarlierPost(call, peer) : 0;
  return topics.map(({ id, topic }, i) => ({
    _: 'forumTopic',
    id,
    date: topic.date,
    peer: toTlPeer(peer),
    title: topic.title,
    iconColor: topic.iconColor,
    ...toFlags(topic),
    ...(topic.creatorId === self ? { my: true } : {}),
    ...(pinned.includes(id) ? { pinned: true } : {}),
    topMessage: topIds[i] || (id === GENERAL_TOPIC_ID ? earlier : 0),
    readInboxMaxId: unread[i]?.read ?? 0,
    readOutboxMaxId: unread[i]?.seen ?? 0,
    unreadCount: unread[i]?.count ?? 0,
    unreadMentionsCount: mentions[i] ?? 0,
    unreadReactionsCount: 0,
    unreadPollVotesCount: votes[i] ?? 0,
    fromId: { _: 'peerUser', userId: topic.creatorId },
    notifySettings: NOTIFY_SETTINGS,
    ...(drafts[i] ? { draft: drafts[i] } : {}),
  }));
}

// What a supergroup had before it got topics belongs to the general topic. The newest such message, found by halving: there may be very
// many. 0 if the first message that is left is in another topic.
async function findEarlierPost(call: CallContext, { id, key }: ChannelPeer): Promise<number> {
  const name = call.tx.key(historyKey(0, key));
  const postAt = async (rank: number): Promise<number> => {
    const [found] = await findMessages(
      call,
      channelBox(id),
      await call.tx.read.zrange(name, String(rank), String(rank)),
    );
    return found && found.thread === undefined ? found.message.id : 0;
  };
  let beyond = (await call.tx.read.zcard(name)) - 1;
  const newest = await postAt(beyond);
  if (newest > 0) return newest;
  let at = 0;
  let post = await postAt(at);
  while (post > 0 && beyond - at > 1) {
    const middle = Math.floor((at + beyond) / 2);
    const found = await postAt(middle);
    if (found > 0) [at, post] = [middle, found];
    else beyond = middle;
  }
  return post;
}

function toFlags({ iconEmojiId, titleMissing, closed, hidden }: TopicRecord): Partial<TlTopic> {
  return {
    ...(iconEmojiId === undefined ? {} : { iconEmojiId }),
    ...(titleMissing ? { titleMissing } : {}),
    ...(closed ? { closed } : {}),
    ...(hidden ? { hidden } : {}),
  };
}
