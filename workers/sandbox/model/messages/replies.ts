import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { isSelfDestructing } from '../boxes/media.ts';
import { type FoundMessage, findCopies, findMessages } from '../boxes/messages.ts';
import { type Box, channelBox, type Thread, userBox } from '../common/keys.ts';
import { findTopics } from '../conversations/topic-records.ts';
import { GENERAL_TOPIC_ID, threadOfTopic } from '../conversations/topics.ts';
import { withoutReceipt } from '../payments/invoices.ts';
import { boxOf, type ChannelPeer, type Peer } from '../peers/peer.ts';
import { refuseProtected } from '../peers/refuse-protected.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';
import { type TlPeer, toTlPeer } from '../peers/tl-peer.ts';
import { refuseOption } from '../polls/input-poll-media.ts';
import { viewForAll } from '../polls/polls.ts';
import { toStoredEntities } from '../text/entities.ts';
import { isShownIn } from './get-message.ts';
import { findHiddenNames, originOf } from './origins.ts';

type InputReplyTo = TlJson<tl.TypeInputReplyTo>;
type Message = TlJson<tl.RawMessage>;
type ReplyHeader = TlJson<tl.RawMessageReplyHeader>;

// The longest text of a message.
const QUOTE_MAX = 4_096;
// As JSON: a short answer with it still fits the commit that sends it to a group of 90.
const MEDIA_CHARACTERS_MAX = 4_000;

/** A message's reply: its header, the id of the replied-to message in each box, and the thread it goes to. */
export interface ReplyTarget {
  header?: Omit<ReplyHeader, 'replyToMsgId'>;
  ids: Record<Box, number>;
  thread?: Thread;
  /** The author of the replied-to message of the same conversation, unless it is a service message or a channel's post. */
  authorId?: number;
  /** The other conversation of the replied-to message, or that of another topic; and its id there if all readers share it. */
  elsewhere?: { peer: TlPeer; msgId: number | undefined };
}

/**
 * Finds the message that a new message replies to; if that is gone, the topic that `topMsgId` names. Errors: `REPLY_MESSAGE_ID_INVALID`,
 * `QUOTE_TEXT_INVALID`, `POLL_OPTION_INVALID`, `TOPIC_DELETED` for another topic than the message's and for one that does not exist,
 * `REPLY_TO_MONOFORUM_PEER_INVALID`, `CHAT_FORWARDS_RESTRICTED` for a protected message of another conversation or topic, and those of
 * `toStoredEntities` for a quote.
 */
export async function findReply(
  call: CallContext,
  peer: Peer,
  replyTo: InputReplyTo | undefined,
): Promise<ReplyTarget | undefined> {
  switch (replyTo?._) {
    case undefined:
      return undefined;
    case 'inputReplyToMonoForum':
      return {
        ids: {},
        thread: await monoforumThread(call, peer, replyTo.monoforumPeerId),
      };
    case 'inputReplyToMessage':
      return replyToMessage(call, peer, replyTo);
    default:
      throw new MessengerError('STORY_ID_INVALID');
  }
}

/** The reply header for one box; if that box has no copy of the replied-to message, only with its author, or none. */
export function replyHeaderIn(box: Box, reply: ReplyTarget | undefined): { replyTo?: ReplyHeader } {
  if (reply?.header === undefined) return {};
  const { header, ids, elsewhere } = reply;
  const replyToMsgId = elsewhere?.msgId ?? ids[box];
  if (replyToMsgId === undefined) return elsewhere && header.replyFrom ? { replyTo: header } : {};
  return { replyTo: { ...header, replyToMsgId, ...(elsewhere ? { replyToPeerId: elsewhere.peer } : {}) } };
}

async function replyToMessage(
  call: CallContext,
  peer: Peer,
  replyTo: TlJson<tl.RawInputReplyToMessage>,
): Promise<ReplyTarget> {
  refuseLongParts(replyTo);
  const { replyToMsgId, replyToPeerId, topMsgId } = replyTo;
  const source = replyToPeerId ? await resolvePeer(call, replyToPeerId, { left: true }) : peer;
  const [found = null] = await findMessages(call, boxOf(call, source), [replyToMsgId]);
  if (!found || !isShownIn(call, source, found)) {
    if (source.key === peer.key && topMsgId !== undefined) return replyToTopic(call, peer, topMsgId);
    throw new MessengerError('REPLY_MESSAGE_ID_INVALID');
  }
  if (source.key !== peer.key) return replyElsewhere(call, peer, { source, found }, replyTo);
  const isInOtherTopic = isForum(peer) && topMsgId !== undefined && topicKeyOf(found) !== `t${topMsgId}`;
  if (isInOtherTopic && replyToPeerId)
    return { ...(await replyElsewhere(call, peer, { source, found }, replyTo)), ...authorOf(found) };
  const header = { ...(await quoteOf(call, replyTo, found)), ...extrasOf(replyTo) };
  if (peer.kind !== 'channel') {
    const [ids = {}] = await findCopies(call, [found]);
    return { header: { _: 'messageReplyHeader', ...header }, ids, ...authorOf(found) };
  }
  const thread = await threadOfReply(call, peer, replyTo, found);
  return {
    header: { _: 'messageReplyHeader', ...header, ...topicOf(thread, found.message.id) },
    ids: { [channelBox(peer.id)]: found.message.id },
    ...(thread === undefined ? {} : { thread }),
    ...authorOf(found),
  };
}

// Also where they are left out, since a scheduled message keeps them.
function refuseLongParts({ quoteText = '', pollOption }: TlJson<tl.RawInputReplyToMessage>): void {
  if (quoteText.length > QUOTE_MAX) throw new MessengerError('QUOTE_TEXT_INVALID');
  if (pollOption !== undefined) refuseOption(pollOption);
}

function authorOf({ message }: FoundMessage): Pick<ReplyTarget, 'authorId'> {
  const { _, fromId } = message;
  return _ === 'message' && fromId?._ === 'peerUser' ? { authorId: fromId.userId } : {};
}

// An answer to what is gone goes to the topic that it names. Source: core.telegram.org/constructor/inputReplyToMessage.
async function replyToTopic(call: CallContext, peer: Peer, topicId: number): Promise<ReplyTarget> {
  if (!isForum(peer)) throw new MessengerError('REPLY_MESSAGE_ID_INVALID');
  const [topic] = await findTopics(call, peer, [topicId]);
  if (!topic) throw new MessengerError('TOPIC_DELETED');
  const thread: Thread = `t${topicId}`;
  if (topicId === GENERAL_TOPIC_ID) return { ids: {}, thread };
  const header = { _: 'messageReplyHeader', ...topicOf(thread, topicId) } as const;
  return { header, ids: { [channelBox(peer.id)]: topicId }, thread };
}

// Readers who cannot find the replied-to message are shown its author, its medium and the quoted part.
async function replyElsewhere(
  call: CallContext,
  peer: Peer,
  { source, found }: { source: Peer; found: FoundMessage },
  replyTo: TlJson<tl.RawInputReplyToMessage>,
): Promise<ReplyTarget> {
  const { message } = found;
  if (message._ !== 'message') throw new MessengerError('REPLY_MESSAGE_ID_INVALID');
  if (message.noforwards) throw new MessengerError('CHAT_FORWARDS_RESTRICTED');
  refuseProtected(call, source);
  const replyFrom = originOf(message, await findHiddenNames(call, [message]));
  const replyMedia = await replyMediaOf(call, message);
  const [copies = {}] = source.kind === 'chat' ? await findCopies(call, [found]) : [];
  const own = source.kind === 'user' ? { [userBox(call.account.userId)]: message.id } : {};
  const { monoforumPeerId, topMsgId } = replyTo;
  const thread = monoforumPeerId
    ? await monoforumThread(call, peer, monoforumPeerId)
    : await threadOfTopic(call, peer, topMsgId, 'TOPIC_DELETED');
  return {
    header: {
      _: 'messageReplyHeader',
      ...(await quoteOf(call, replyTo, found)),
      ...extrasOf(replyTo),
      ...topicOf(thread, null),
      replyFrom,
      ...replyMedia,
    },
    ids: { ...copies, ...own },
    ...(thread === undefined ? {} : { thread }),
    elsewhere: {
      peer: toTlPeer(source),
      msgId: source.key === peer.key || isPublic(source) ? message.id : undefined,
    },
  };
}

// As in a forward, nobody's own votes or receipt.
async function replyMediaOf(call: CallContext, { media }: Message): Promise<Partial<ReplyHeader>> {
  if (!media || isSelfDestructing(media)) return {};
  const shown = media._ === 'messageMediaPoll' ? await viewForAll(call, media) : withoutReceipt(media);
  return JSON.stringify(shown).length > MEDIA_CHARACTERS_MAX ? {} : { replyMedia: shown };
}

/** Whether a peer is a public channel. Others must not be revealed to users who are not in them. */
export function isPublic(peer: Peer): boolean {
  return peer.kind === 'channel' && peer.channel.username !== null;
}

function isForum(peer: Peer): peer is ChannelPeer {
  return peer.kind === 'channel' && peer.channel.forum;
}

function topicKeyOf({ thread = 't1' }: FoundMessage): Thread {
  return thread;
}

async function threadOfReply(
  call: CallContext,
  peer: ChannelPeer,
  { monoforumPeerId, topMsgId }: TlJson<tl.RawInputReplyToMessage>,
  found: FoundMessage,
): Promise<Thread | undefined> {
  if (peer.channel.kind === 'monoforum') {
    return monoforumPeerId ? monoforumThread(call, peer, monoforumPeerId) : found.thread;
  }
  if (!isForum(peer)) return undefined;
  const own = topicKeyOf(found);
  if (topMsgId !== undefined && own !== `t${topMsgId}`) throw new MessengerError('TOPIC_DELETED');
  return own;
}

async function monoforumThread(
  call: CallContext,
  peer: Peer,
  input: TlJson<tl.TypeInputPeer>,
): Promise<Thread> {
  const saved = await resolvePeer(call, input);
  if (peer.kind !== 'channel' || peer.channel.kind !== 'monoforum' || saved.kind !== 'user') {
    throw new MessengerError('REPLY_TO_MONOFORUM_PEER_INVALID');
  }
  return saved.key;
}

// A topic is named by its first message. A reply to that message (`answeredId`) need not name the topic again.
function topicOf(thread: Thread | undefined, answeredId: number | null): Partial<ReplyHeader> {
  if (!thread?.startsWith('t') || thread === 't1') return {};
  const topicId = Number(thread.slice(1));
  return {
    forumTopic: true,
    ...(topicId === answeredId ? {} : { replyToTopId: topicId }),
  };
}

async function quoteOf(
  call: CallContext,
  { quoteText, quoteEntities, quoteOffset }: TlJson<tl.RawInputReplyToMessage>,
  { message }: FoundMessage,
): Promise<Partial<ReplyHeader>> {
  if (quoteText === undefined) return {};
  if (message._ !== 'message' || !message.message.includes(quoteText)) {
    throw new MessengerError('QUOTE_TEXT_INVALID');
  }
  return {
    quote: true,
    quoteText,
    ...(quoteEntities ? { quoteEntities: await toStoredEntities(call, quoteText, quoteEntities) } : {}),
    ...(quoteOffset === undefined ? {} : { quoteOffset }),
  };
}

function extrasOf({ todoItemId, pollOption }: TlJson<tl.RawInputReplyToMessage>): Partial<ReplyHeader> {
  return {
    ...(todoItemId === undefined ? {} : { todoItemId }),
    ...(pollOption === undefined ? {} : { pollOption }),
  };
}
