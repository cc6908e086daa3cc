import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser, SELF } from '../../examples/input-peers.ts';
import { type ClaimRandomId, refuseSentRandomId } from '../../model/boxes/random-ids.ts';
import { GENERAL_TOPIC_ID } from '../../model/conversations/topics.ts';
import {
  countForwards,
  type Forwarded,
  findForwarded,
  postOf,
  toForwardDraft,
} from '../../model/messages/forwards.ts';
import { findHiddenNames } from '../../model/messages/origins.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { findReply, type Reply } from '../../model/messages/replies.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { getSelf, targetOf } from '../../model/people/users.ts';
import { refusePublicVoters } from '../../model/polls/polls.ts';

type Params = MethodParams<'messages.forwardMessages'>;

const IDS_MAX = 100;

/**
 * Forwards messages, in the order given, as many as fit one commit; the new messages are on the update stream. Errors:
 * `MESSAGE_IDS_EMPTY`, `MESSAGE_ID_INVALID`, `RANDOM_ID_INVALID` unless there is one for each message, `RANDOM_ID_DUPLICATE`,
 * `CHAT_FORWARDS_RESTRICTED`, `BROADCAST_PUBLIC_VOTERS_FORBIDDEN`, `MESSAGE_TOO_LONG` for what does not fit.
 */
export const forwardMessages = defineMethod('messages.forwardMessages', async (params, call) => {
  refuseParams(params);
  const [from, to, claim] = await Promise.all([
    resolvePeer(call, params.fromPeer),
    resolvePeer(call, params.toPeer),
    refuseSentRandomId(call, ...params.randomId),
  ]);
  if (params.suggestedPost && !(to.kind === 'channel' && to.channel.kind === 'monoforum')) {
    throw new MessengerError('SUGGESTED_POST_PEER_INVALID');
  }
  await refuseSendAs(call, params);
  const messages = await findForwarded(call, from, params.id);
  for (const { message } of messages) refusePublicVoters(message.media, to);
  const reply = await findTopic(call, to, params);
  const ids = await postAll(call, { from, to, messages, reply, params, claim });
  if (!dropsAuthor(params))
    await countForwards(
      call,
      messages.map(({ message }) => postOf(message)),
      to,
      ids,
    );
  if (call.tx.room < 0) throw new MessengerError('MESSAGE_TOO_LONG');
  return { _: 'updatesTooLong' };
});

function refuseParams({ id, randomId, scheduleDate }: Params): void {
  if (id.length === 0) throw new MessengerError('MESSAGE_IDS_EMPTY');
  if (id.length > IDS_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  if (randomId.length !== id.length) throw new MessengerError('RANDOM_ID_INVALID');
  if (scheduleDate !== undefined) throw new MessengerError('SCHEDULE_DATE_TOO_LATE');
}

// Without its caption a message is not what its author wrote.
function dropsAuthor({ dropAuthor, dropMediaCaptions }: Params): boolean {
  return dropAuthor === true || dropMediaCaptions === true;
}

async function refuseSendAs(call: CallContext, { sendAs }: Params): Promise<void> {
  if (!sendAs) return;
  const peer = await resolvePeer(call, sendAs);
  if (peer.kind !== 'user' || peer.id !== call.account.userId)
    throw new MessengerError('SEND_AS_PEER_INVALID');
}

async function findTopic(
  call: CallContext,
  to: Peer,
  { topMsgId, replyTo }: Params,
): Promise<Reply | undefined> {
  if (topMsgId === undefined || topMsgId === GENERAL_TOPIC_ID) return findReply(call, to, replyTo);
  try {
    return await findReply(call, to, { _: 'inputReplyToMessage', replyToMsgId: topMsgId, topMsgId });
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('TOPIC_DELETED');
    throw error;
  }
}

interface Batch {
  from: Peer;
  to: Peer;
  messages: Forwarded[];
  reply: Reply | undefined;
  params: Params;
  claim: ClaimRandomId;
}

async function postAll(
  call: CallContext,
  { from, to, messages, reply, params, claim }: Batch,
): Promise<number[]> {
  const options = {
    dropAuthor: dropsAuthor(params),
    dropMediaCaptions: params.dropMediaCaptions === true,
    isToOwnChat: to.kind === 'user' && to.id === call.account.userId,
    hiddenNames: await findHiddenNames(
      call,
      messages.map(({ message }) => message),
    ),
  };
  const target = targetOf(await getSelf(call));
  const extras = {
    ...(params.silent ? { silent: true } : {}),
    ...(params.noforwards ? { noforwards: true } : {}),
  };
  const ids: number[] = [];
  for (const [index, { message, invoiceId }] of messages.entries()) {
    const randomId = params.randomId[index] as string;
    const draft = { ...toForwardDraft(from, message, options), ...extras };
    const burst = { index, size: messages.length };
    const { message: posted } = await postMessage(call, to, draft, { reply, burst, invoiceId });
    claim(randomId, posted.id);
    ids.push(posted.id);
    call.tx.update(target, { _: 'updateMessageID', id: posted.id, randomId });
  }
  return ids;
}

export const example: Example<'messages.forwardMessages'> = async (exemplar) => ({
  fromPeer: SELF,
  id: [1],
  toPeer: await peerUser(exemplar, 'contactId'),
});

export const difference =
  'Answers `updatesTooLong`; the new messages are on the stream. At most 100 messages, as many as fit one commit.';
