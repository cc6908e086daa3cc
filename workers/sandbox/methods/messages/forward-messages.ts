import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser, SELF } from '../../examples/input-peers.ts';
import { checkRandomIds, type RecordSent } from '../../model/boxes/random-ids.ts';
import { refuseSeveral } from '../../model/chats/slow-mode.ts';
import { GENERAL_TOPIC_ID } from '../../model/conversations/topics.ts';
import {
  countForwards,
  type Forwarded,
  findForwarded,
  postOf,
  regroup,
  toForwardDraft,
} from '../../model/messages/forwards.ts';
import { findHiddenNames } from '../../model/messages/origins.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { findReply, type ReplyTarget } from '../../model/messages/replies.ts';
import {
  refusePremiumOptions,
  refuseSuggestedPost,
  shownOptions,
} from '../../model/messages/send-options.ts';
import { withPresentPoll } from '../../model/messages/show-polls.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { refuseSendAs } from '../../model/peers/refuse-send-as.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { notifyOwnSessions } from '../../model/people/users.ts';
import { refusePublicVoters } from '../../model/polls/polls.ts';
import { isForLater, type Outgoing, schedule } from '../../model/scheduled/schedule.ts';

type Params = MethodParams<'messages.forwardMessages'>;

const IDS_MAX = 100;

/**
 * Forwards messages, in the order given, as many as fit one commit; the new messages and their ids are on the update stream. Errors:
 * `MESSAGE_IDS_EMPTY`, `MESSAGE_ID_INVALID`, `RANDOM_ID_INVALID` unless there is one for each message, `RANDOM_ID_DUPLICATE`,
 * `SLOWMODE_MULTI_MSGS_DISABLED`, `CHAT_FORWARDS_RESTRICTED`, `BROADCAST_PUBLIC_VOTERS_FORBIDDEN`, `MESSAGE_TOO_LONG` for what does not fit.
 */
export const forwardMessages = defineMethod('messages.forwardMessages', async (params, call) => {
  checkParams(params);
  refusePremiumOptions(params);
  const isLater = isForLater(call, params.scheduleDate);
  const [from, to, recordSent] = await Promise.all([
    resolvePeer(call, params.fromPeer, { left: true }),
    resolvePeer(call, params.toPeer),
    checkRandomIds(call, ...params.randomId),
  ]);
  refuseSuggestedPost(to, params.suggestedPost);
  await refuseSendAs(call, params.sendAs);
  const messages = await findForwarded(call, from, params.id);
  for (const { message } of messages) refusePublicVoters(message.media, to);
  if (!isLater)
    refuseSeveral(
      to,
      messages.map(({ message }) => message),
    );
  const reply = await findTopic(call, to, params);
  const batch = { from, to, messages, reply, params, recordSent };
  const drafts = await draftAll(call, batch);
  if (isLater) {
    await schedule(call, to, drafts, {
      date: params.scheduleDate ?? 0,
      recordSent(randomId, id) {
        recordSent(randomId, id);
        tellId(call, randomId, id);
      },
    });
    return { _: 'updatesTooLong' };
  }
  const ids = await postAll(call, batch, drafts);
  const posts = dropsAuthor(params) ? [] : messages.map(({ message }) => postOf(message));
  if (!(await countForwards(call, posts, { to, copies: ids }))) throw new MessengerError('MESSAGE_TOO_LONG');
  refuseOverCommit(call);
  return { _: 'updatesTooLong' };
});

function refuseOverCommit({ tx }: CallContext): void {
  if (tx.isTooLarge) throw new MessengerError('MESSAGE_TOO_LONG');
}

function checkParams({ id, randomId }: Params): void {
  if (id.length === 0) throw new MessengerError('MESSAGE_IDS_EMPTY');
  if (id.length > IDS_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  if (randomId.length !== id.length) throw new MessengerError('RANDOM_ID_INVALID');
}

// Without its caption, a message is no longer what its author wrote.
function dropsAuthor({ dropAuthor, dropMediaCaptions }: Params): boolean {
  return dropAuthor === true || dropMediaCaptions === true;
}

async function findTopic(
  call: CallContext,
  to: Peer,
  { topMsgId, replyTo }: Params,
): Promise<ReplyTarget | undefined> {
  if (topMsgId === undefined || topMsgId === GENERAL_TOPIC_ID) return findReply(call, to, replyTo);
  try {
    return await findReply(call, to, answerTo(topMsgId));
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('TOPIC_DELETED');
    throw error;
  }
}

function answerTo(topMsgId: number) {
  return { _: 'inputReplyToMessage' as const, replyToMsgId: topMsgId, topMsgId };
}

interface Batch {
  from: Peer;
  to: Peer;
  messages: Forwarded[];
  reply: ReplyTarget | undefined;
  params: Params;
  recordSent: RecordSent;
}

async function draftAll(
  call: CallContext,
  { from, to, messages, reply, params }: Batch,
): Promise<Outgoing[]> {
  const options = {
    dropAuthor: dropsAuthor(params),
    dropMediaCaptions: params.dropMediaCaptions === true,
    isToOwnChat: to.kind === 'user' && to.id === call.account.userId,
    hiddenNames: await findHiddenNames(
      call,
      messages.map(({ message }) => message),
    ),
    albums: regroup(messages),
  };
  const extras = {
    ...shownOptions(call, to, params),
    ...(params.silent ? { silent: true } : {}),
    ...(params.noforwards ? { noforwards: true } : {}),
  };
  const isInTopic = params.topMsgId !== undefined && params.topMsgId !== GENERAL_TOPIC_ID;
  const replyTo = isInTopic ? answerTo(params.topMsgId as number) : params.replyTo;
  const outgoing = messages.map(async ({ message, invoiceId }, index) => ({
    draft: await withPresentPoll(call, { ...toForwardDraft(from, message, options), ...extras }),
    randomId: params.randomId[index] as string,
    reply,
    replyTo,
    invoiceId,
  }));
  return Promise.all(outgoing);
}

async function postAll(
  call: CallContext,
  { to, reply, recordSent }: Batch,
  drafts: readonly Outgoing[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, { draft, randomId, invoiceId }] of drafts.entries()) {
    const burst = { index, size: drafts.length };
    const { message: posted } = await postMessage(call, to, draft, { reply, burst, invoiceId });
    refuseOverCommit(call);
    recordSent(randomId, posted.id);
    ids.push(posted.id);
    tellId(call, randomId, posted.id);
  }
  return ids;
}

// The method's answer names no message, so the account learns the ids from the stream.
function tellId(call: CallContext, randomId: string, id: number): void {
  notifyOwnSessions(call, { _: 'updateMessageID', id, randomId });
}

export const example: Example<'messages.forwardMessages'> = async (context) => ({
  fromPeer: SELF,
  id: [1],
  toPeer: await peerUser(context, 'contactId'),
});

export const difference =
  'At most 100 messages. Answers `updatesTooLong`. With more than 4,000 notices of new counts, members hear only of the first posts.';
