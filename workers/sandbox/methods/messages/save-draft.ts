import type { tl } from '@mtcute/core';
import type { MethodParams, TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { expectOwnRights } from '../../model/chats/channel-members.ts';
import { channelBox, type Thread } from '../../model/common/keys.ts';
import { type Draft, draftPart, putDraft, threadOfAnswer } from '../../model/conversations/drafts.ts';
import { threadOfTopic } from '../../model/conversations/topics.ts';
import { expectMembers } from '../../model/peers/expect-members.ts';
import type { ChannelPeer, Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { keyOfInput } from '../../model/peers/tl-peer.ts';
import { toStoredEntities } from '../../model/text/entities.ts';

type Params = MethodParams<'messages.saveDraft'>;

const TEXT_MAX = 4_096;
// The length of the complete draft, as JSON.
const DRAFT_MAX = 32_000;

/**
 * Saves the account's draft for a conversation, for a topic of it, or as an administrator for a thread of a monoforum; an empty draft
 * removes it. Errors: `MESSAGE_TOO_LONG` for more than 4,096 characters, or for more than 32,000 of JSON, `MEDIA_INVALID`.
 */
export const saveDraft = defineMethod('messages.saveDraft', async (params, call) => {
  const given = await toDraft(call, params);
  // An account that has left a group may still remove its draft there.
  const peer = await resolvePeer(call, params.peer, { left: given === null });
  if (peer.kind === 'user' && peer.user.deleted) throw new MessengerError('INPUT_USER_DEACTIVATED');
  const { thread, answersNothing } = await findPlace(call, peer, params.replyTo, given === null);
  const draft = answersNothing && params.message === '' && !params.media ? null : given;
  if (JSON.stringify(draft).length > DRAFT_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  if (draft !== null) expectAccess(call, peer);
  await putDraft(call, draftPart(call, peer, thread), draft);
  return true;
});

// An account that leaves meanwhile, or whose monoforum is deleted, would keep a draft that it can no longer remove.
function expectAccess(call: CallContext, peer: Peer): void {
  expectMembers(call, peer);
  if (peer.kind === 'channel') expectOwnRights(call, peer);
}

/** Where a draft is, and whether what it answers is only the topic itself, or is gone: then an answer without a text is no content. */
interface Place {
  thread?: Thread | undefined;
  answersNothing?: boolean;
}

async function findPlace(
  call: CallContext,
  peer: Peer,
  replyTo: Params['replyTo'],
  isEmpty: boolean,
): Promise<Place> {
  const isMonoforum = peer.kind === 'channel' && peer.channel.kind === 'monoforum';
  const input = replyTo && 'monoforumPeerId' in replyTo ? replyTo.monoforumPeerId : undefined;
  if (isMonoforum && input) {
    const saved = await resolvePeer(call, input);
    return saved.kind === 'user' ? { thread: saved.key } : {};
  }
  if (replyTo?._ !== 'inputReplyToMessage' || peer.kind !== 'channel') return {};
  const { topMsgId } = replyTo;
  if (topMsgId === undefined || !peer.channel.forum) return placeOfMessage(call, peer, replyTo);
  // The drafts of a topic stay when it is deleted.
  return { thread: isEmpty ? `t${topMsgId}` : await threadOfTopic(call, peer, topMsgId) };
}

// The message that is sent goes to the thread of the message that it answers, and clears the draft that is there.
async function placeOfMessage(
  call: CallContext,
  { id, key, channel }: ChannelPeer,
  { replyToMsgId, replyToPeerId }: TlJson<tl.RawInputReplyToMessage>,
): Promise<Place> {
  if (!channel.forum && channel.kind !== 'monoforum') return {};
  if (replyToPeerId && keyOfInput(replyToPeerId) !== key) return {};
  const [found] = await findMessages(call, channelBox(id), [replyToMsgId]);
  if (!found) return { thread: await threadOfAnswer(call, key, replyToMsgId), answersNothing: true };
  const { thread = 't1' } = found;
  return { thread: found.thread, answersNothing: channel.forum && thread === `t${replyToMsgId}` };
}

async function toDraft(call: CallContext, params: Params): Promise<Draft | null> {
  const { message, replyTo, media, noWebpage, invertMedia, effect } = params;
  if (message.length > TEXT_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  if (params.richMessage || (media && media._ !== 'inputMediaWebPage'))
    throw new MessengerError('MEDIA_INVALID');
  const entities = await toStoredEntities(call, message, params.entities);
  if (replyTo?._ === 'inputReplyToMessage' && replyTo.replyToPeerId)
    await resolvePeer(call, replyTo.replyToPeerId);
  // A reply to the topic itself only says where the draft is: it is not content.
  const isAnswer = replyTo?._ === 'inputReplyToMessage' && replyTo.replyToMsgId !== replyTo.topMsgId;
  if (message === '' && !isAnswer && !media) return null;
  return {
    _: 'draftMessage',
    message,
    date: call.date,
    ...(entities.length > 0 ? { entities } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(media ? { media } : {}),
    ...(noWebpage ? { noWebpage } : {}),
    ...(invertMedia ? { invertMedia } : {}),
    ...(effect === undefined ? {} : { effect }),
  };
}

export const example: Example<'messages.saveDraft'> = async (context) => ({
  peer: await peerUser(context, 'contactId'),
  message: 'Not sent yet',
});

export const difference = 'At most 100 drafts, then the oldest goes. Of media only links are kept.';
