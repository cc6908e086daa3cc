import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { type FoundMessage, findCopies, findMessages } from '../boxes/messages.ts';
import { type Box, channelBox, type Thread } from '../common/keys.ts';
import { boxOf, type Peer } from '../peers/peer.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';

type InputReplyTo = TlJson<tl.TypeInputReplyTo>;
type ReplyHeader = TlJson<tl.RawMessageReplyHeader>;

/** What a message answers: its header, with the id by which each box knows the answered message, and the thread it goes to. */
export interface Reply {
  header?: Omit<ReplyHeader, 'replyToMsgId'>;
  ids: Record<Box, number>;
  thread?: Thread;
}

/**
 * What a message in a conversation answers. Errors: `REPLY_MESSAGE_ID_INVALID`, `QUOTE_TEXT_INVALID`, `TOPIC_DELETED` for a
 * topic without messages, `REPLY_TO_MONOFORUM_PEER_INVALID`, `REPLY_TO_INVALID` for another conversation's message.
 */
export async function findReply(
  call: CallContext,
  peer: Peer,
  replyTo: InputReplyTo | undefined,
): Promise<Reply | undefined> {
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

/** The reply header as the messages of one box have it; nothing where the answered message has no copy. */
export function replyHeaderIn(box: Box, reply: Reply | undefined): { replyTo?: ReplyHeader } {
  const replyToMsgId = reply?.ids[box];
  if (reply?.header === undefined || replyToMsgId === undefined) return {};
  return { replyTo: { ...reply.header, replyToMsgId } };
}

async function replyToMessage(
  call: CallContext,
  peer: Peer,
  replyTo: TlJson<tl.RawInputReplyToMessage>,
): Promise<Reply> {
  if (replyTo.replyToPeerId) {
    const other = await resolvePeer(call, replyTo.replyToPeerId);
    if (other.key !== peer.key) throw new MessengerError('REPLY_TO_INVALID');
  }
  const [found] = await findMessages(call, boxOf(call, peer), [replyTo.replyToMsgId]);
  if (!found || (peer.kind !== 'channel' && !isOf(peer, found))) {
    throw new MessengerError('REPLY_MESSAGE_ID_INVALID');
  }
  const header = { ...quoteOf(replyTo, found), ...extrasOf(replyTo) };
  if (peer.kind !== 'channel') {
    const [ids = {}] = await findCopies(call, [found]);
    return { header: { _: 'messageReplyHeader', ...header }, ids };
  }
  const thread = await threadOfReply(call, peer, replyTo, found);
  return {
    header: { _: 'messageReplyHeader', ...header, ...topicOf(thread, found) },
    ids: { [channelBox(peer.id)]: found.message.id },
    ...(thread === undefined ? {} : { thread }),
  };
}

function isOf(peer: Peer, { message }: FoundMessage): boolean {
  const { peerId } = message;
  if (peerId._ === 'peerUser') return peer.kind === 'user' && peer.id === peerId.userId;
  return peerId._ === 'peerChat' && peer.kind === 'chat' && peer.id === peerId.chatId;
}

async function threadOfReply(
  call: CallContext,
  peer: Extract<Peer, { kind: 'channel' }>,
  { monoforumPeerId, topMsgId }: TlJson<tl.RawInputReplyToMessage>,
  found: FoundMessage,
): Promise<Thread | undefined> {
  if (peer.channel.kind === 'monoforum') {
    return monoforumPeerId ? monoforumThread(call, peer, monoforumPeerId) : found.thread;
  }
  if (!peer.channel.forum) return undefined;
  const own = found.thread ?? 't1';
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

// A topic is named by its first message; what answers that one needs not say so twice.
function topicOf(thread: Thread | undefined, found: FoundMessage): Partial<ReplyHeader> {
  if (!thread?.startsWith('t') || thread === 't1') return {};
  const topicId = Number(thread.slice(1));
  return {
    forumTopic: true,
    ...(topicId === found.message.id ? {} : { replyToTopId: topicId }),
  };
}

function quoteOf(
  { quoteText, quoteEntities, quoteOffset }: TlJson<tl.RawInputReplyToMessage>,
  { message }: FoundMessage,
): Partial<ReplyHeader> {
  if (quoteText === undefined) return {};
  if (message._ !== 'message' || !message.message.includes(quoteText)) {
    throw new MessengerError('QUOTE_TEXT_INVALID');
  }
  return {
    quote: true,
    quoteText,
    ...(quoteEntities ? { quoteEntities } : {}),
    ...(quoteOffset === undefined ? {} : { quoteOffset }),
  };
}

function extrasOf({ todoItemId, pollOption }: TlJson<tl.RawInputReplyToMessage>): Partial<ReplyHeader> {
  return {
    ...(todoItemId === undefined ? {} : { todoItemId }),
    ...(pollOption === undefined ? {} : { pollOption }),
  };
}
