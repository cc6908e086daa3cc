import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { historyKey, messagesKey } from '../boxes/keys.ts';
import type { StoredMessage, TlMessage } from '../boxes/messages.ts';
import { viewChannelMessage } from '../boxes/view-message.ts';
import { expectOwnRights, isAdmin, observeMemberIds } from '../chats/channel-members.ts';
import { CHANNELS } from '../chats/keys.ts';
import { isAllowed } from '../chats/rights.ts';
import { recordPosted, refuseTooSoon, slowModeSecondsOf } from '../chats/slow-mode.ts';
import { countedWith, isFirst } from '../common/burst.ts';
import { refuseTooLarge } from '../common/commit-size.ts';
import { channelBox, SEQ, type Thread } from '../common/keys.ts';
import { readersOf } from '../conversations/channel-readers.ts';
import { dialogsKey, mentionsKey, threadsKey, topicsKey } from '../conversations/keys.ts';
import { recordSent } from '../conversations/sent-messages.ts';
import type { TopicRecord } from '../conversations/topic-records.ts';
import { ownThread } from '../conversations/topics.ts';
import { countUnread } from '../conversations/unread-state.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { isMentioned, type MessageDraft, type Posted, type PostOptions } from './post.ts';
import { refuseRestricted, restrictionsIn } from './refuse-restricted.ts';
import { replyHeaderIn } from './replies.ts';

// Each mention costs one more write per member.
const MENTIONS_MAX = 20;

/** Posts to a channel, where all readers share one message. */
export async function postToChannel(
  call: CallContext,
  peer: ChannelPeer,
  draft: MessageDraft,
  options: PostOptions,
): Promise<Posted> {
  const { tx } = call;
  if (!options.memberIds) requireWriter(call, peer, draft, isFirst(options.burst));
  const thread = threadOf(call, peer, options);
  if (peer.channel.forum && draft._ === 'message') await refuseClosed(call, peer, thread);
  const counted = countedWith(options.burst);
  const seconds = draft._ === 'message' ? slowModeSecondsOf(peer) : 0;
  if (seconds > 0) await applySlowMode(call, peer.id, { seconds, draft, counted });
  const memberIds = options.memberIds ?? (await observeMemberIds(call, peer.id));
  const readers = await readersOf(call, peer, thread, { memberIds });
  refuseTooLarge(draft, readers.length + 1, options.reply?.header);
  const box = channelBox(peer.id);
  const id = options.id ?? tx.allocate(SEQ, `msg:${box}`);
  const pts = tx.allocate(SEQ, `pts:${box}`);
  const mentions = mentionedOf(call, peer, readers, draft, options);
  const stored: StoredMessage = {
    authorId: call.account.userId,
    message: messageOf(call, peer, draft, options, { id, thread }),
    pts,
    ...(thread === undefined ? {} : { thread }),
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(options.invoiceId === undefined ? {} : { invoiceId: options.invoiceId }),
  };
  tx.hset(messagesKey(box), id, stored);
  tx.zadd(historyKey(0, peer.key), id, id);
  if (thread !== undefined) {
    tx.zadd(historyKey(0, peer.key, thread), id, id);
    if (counted > 0) tx.zadd(threadsKey(box, peer.key), call.date, thread);
  }
  // Nothing is kept of a member who leaves, so the message about it is not noted as sent.
  const isLeaving = options.memberIds?.includes(call.account.userId) === false;
  if (counted > 0 && !isLeaving) noteSent(call, peer, thread, { id, counted });
  for (const reader of readers) notify(call, reader, peer, stored, { pts, counted });
  return {
    message: viewChannelMessage(stored, call.account.userId, {
      mentionUnread: false,
      consumed: false,
    }),
    pts,
  };
}

// One check is enough for a burst: each has the channel's record in the commit.
function requireWriter(call: CallContext, peer: ChannelPeer, draft: MessageDraft, isChecking: boolean): void {
  const { id, channel, member } = peer;
  // A writer to a monoforum need not be a member, but the monoforum must still exist.
  if (channel.kind === 'monoforum') {
    if (isChecking) call.tx.expectField(CHANNELS, id, JSON.stringify(channel));
    return;
  }
  if (!member) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
  if (isChecking) expectOwnRights(call, peer);
  const mayPost = draft._ === 'message' ? isAllowed(member, 'postMessages') : isAdmin(member);
  if (channel.kind === 'broadcast' && !mayPost) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  refuseRestricted(call, draft, restrictionsIn(call, peer));
}

function threadOf(call: CallContext, peer: ChannelPeer, options: PostOptions): Thread | undefined {
  const given = options.thread ?? options.reply?.thread;
  const own = ownThread(call, peer);
  if (own !== undefined) return own;
  if (peer.channel.kind === 'monoforum') {
    if (given === undefined) throw new MessengerError('REPLY_TO_MONOFORUM_PEER_INVALID');
    return given;
  }
  return peer.channel.forum ? (given ?? 't1') : undefined;
}

// Administrators of topics and a topic's creator may write to a closed topic, but not to one that is deleted meanwhile.
async function refuseClosed(call: CallContext, { id, member }: ChannelPeer, thread = 't1'): Promise<void> {
  const raw = await call.tx.observe(topicsKey(id), thread.slice(1));
  if (isAllowed(member, 'manageTopics')) return;
  const { closed, creatorId }: Partial<TopicRecord> = raw === null ? {} : JSON.parse(raw);
  if (closed && creatorId !== call.account.userId) throw new MessengerError('TOPIC_CLOSED');
}

async function applySlowMode(
  call: CallContext,
  channelId: number,
  { seconds, draft, counted }: { seconds: number; draft: MessageDraft; counted: number },
): Promise<void> {
  // A scheduled message cannot be retried by its sender.
  const isScheduled = draft._ === 'message' && draft.fromScheduled;
  if (!isScheduled) await refuseTooSoon(call, channelId, seconds);
  if (counted > 0) recordPosted(call, channelId);
}

// The posts of a broadcast channel mention nobody. In a talk of two, an answer is no mention.
function mentionedOf(
  call: CallContext,
  { channel }: ChannelPeer,
  readers: readonly UserRecord[],
  draft: MessageDraft,
  { mentions, reply }: PostOptions,
): number[] {
  const answered = channel.kind === 'monoforum' ? undefined : reply;
  if (channel.kind === 'broadcast' || (!mentions?.size && answered === undefined)) return [];
  const ids = readers.map(({ id }) => id).filter((id) => id !== call.account.userId);
  return ids.filter((id) => isMentioned(id, draft, { mentions, reply: answered })).slice(0, MENTIONS_MAX);
}

function messageOf(
  call: CallContext,
  peer: ChannelPeer,
  { mediaUnread: _, ...draft }: MessageDraft,
  options: PostOptions,
  { id, thread }: { id: number; thread: Thread | undefined },
): TlMessage {
  const { kind } = peer.channel;
  return {
    ...(kind === 'broadcast'
      ? {
          post: true,
          ...(draft._ === 'message' ? { views: 1, forwards: 0 } : {}),
        }
      : { fromId: { _: 'peerUser', userId: call.account.userId } }),
    ...(kind === 'monoforum' ? { savedPeerId: { _: 'peerUser', userId: Number(thread?.slice(1)) } } : {}),
    ...draft,
    ...replyHeaderIn(channelBox(peer.id), options.reply),
    id,
    peerId: toTlPeer(peer),
    date: call.date,
  } as TlMessage;
}

function noteSent(
  call: CallContext,
  { key, channel }: ChannelPeer,
  thread: Thread | undefined,
  { id, counted }: { id: number; counted: number },
): void {
  recordSent(call, { key }, id, counted);
  if (channel.forum && thread !== undefined) recordSent(call, { key, thread }, id, counted);
}

function notify(
  call: CallContext,
  reader: UserRecord,
  { key }: ChannelPeer,
  stored: StoredMessage,
  { pts, counted }: { pts: number; counted: number },
): void {
  const { tx, date } = call;
  const { thread } = stored;
  const { id } = stored.message;
  const out = reader.id === call.account.userId;
  const mentioned = stored.mentions?.includes(reader.id) === true;
  if (counted > 0) tx.zadd(dialogsKey(reader.id), date, key);
  if (!out && counted > 0) {
    countUnread(call, reader.id, { key }, counted);
    if (thread !== undefined) countUnread(call, reader.id, { key, thread }, counted);
  }
  if (mentioned) tx.zadd(mentionsKey(reader.id, key), id, id);
  if (mentioned && thread !== undefined) tx.zadd(mentionsKey(reader.id, key, thread), id, id);
  const message = viewChannelMessage(stored, reader.id, {
    mentionUnread: mentioned,
    consumed: false,
  });
  const update: Update = {
    _: 'updateNewChannelMessage',
    message,
    pts,
    ptsCount: 1,
  };
  tx.update(targetOf(reader), update);
}
