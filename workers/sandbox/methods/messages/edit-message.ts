import type { MethodParams, MethodResult, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { isSelfDestructing, mediaOf } from '../../model/boxes/media.ts';
import type { FoundMessage, TlMessage } from '../../model/boxes/messages.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { viewChannelMessage } from '../../model/boxes/view-message.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { isAllowed } from '../../model/chats/rights.ts';
import { toMedia } from '../../model/files/input-media.ts';
import { editEverywhere } from '../../model/messages/edits/edit-copies.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import { refuseRestricted, restrictionsIn } from '../../model/messages/refuse-restricted.ts';
import { refusePremiumOptions } from '../../model/messages/send-options.ts';
import { pollOf } from '../../model/messages/show-polls.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { requireWriteAccess } from '../../model/peers/require-write-access.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { closePoll } from '../../model/polls/close-poll.ts';
import { refuseLongCaption } from '../../model/text/caption.ts';
import { markText } from '../../model/text/entities.ts';
import { readReplyMarkup } from '../../model/text/reply-markup.ts';
import { toRichContent } from '../../model/text/rich/rich-message.ts';

type Params = MethodParams<'messages.editMessage'>;
type Message = Extract<TlMessage, { _: 'message' }>;
type Content = Pick<
  Message,
  'message' | 'entities' | 'media' | 'invertMedia' | 'richMessage' | 'replyMarkup'
>;

const EDITABLE_S = 48 * 60 * 60;
const TEXT_MAX = 4_096;

/**
 * Edits the content of a message of the account, in all its copies, or closes its poll (given with `closed`). A keyboard that is not given
 * again is removed. In a channel the account must still be allowed to post, or to edit posts. Errors: `CHAT_WRITE_FORBIDDEN`,
 * `CHAT_ADMIN_REQUIRED`, `USER_BANNED_IN_CHANNEL`, `MESSAGE_AUTHOR_REQUIRED`, `MESSAGE_NOT_MODIFIED`, `MESSAGE_EDIT_TIME_EXPIRED` after 48
 * hours (not for bots, polls, notes to oneself, and who may pin messages in a supergroup), `MEDIA_PREV_INVALID` if a poll or invoice would
 * become another medium, and those of `refuseRestricted` for a medium that may not be sent there.
 */
export const editMessage = defineMethod('messages.editMessage', async (params, call) => {
  refusePremiumOptions(params);
  if (params.scheduleDate !== undefined) throw new MessengerError('SCHEDULE_DATE_INVALID');
  const peer = await resolvePeer(call, params.peer);
  const found = await getMessage(call, peer, params.id);
  const before = requireAuthor(call, peer, found);
  const pollId = closedPollOf(params, before);
  if (pollId !== null) return toUpdates(call, peer, await closePoll(call, peer, found, pollId));
  const content = await toContent(call, params, before);
  if (params.media) refuseRestricted(call, { _: 'message', ...content }, restrictionsIn(call, peer));
  if (sameContent(before, content)) throw new MessengerError('MESSAGE_NOT_MODIFIED');
  const { message, pts } = await editEverywhere(call, peer, found, (copy) =>
    withContent(copy, params.media ? content : ownMediumOf(copy, content), call.date),
  );
  const kind = peer.kind === 'channel' ? 'updateEditChannelMessage' : 'updateEditMessage';
  return toUpdates(call, peer, { _: kind, message, pts, ptsCount: 1 });
});

async function toUpdates(
  call: CallContext,
  peer: Peer,
  update: Update,
): Promise<MethodResult<'messages.editMessage'>> {
  // Those that the message names, too: who has reacted, voted or is mentioned.
  const peers = [toTlPeer(peer), toTlPeer({ kind: 'user', id: call.account.userId }), ...peersOf(update)];
  return { _: 'updates', updates: [update], ...(await listMentioned(call, peers)), date: call.date, seq: 0 };
}

// Clients that close a poll identify it by the message only.
function closedPollOf({ media }: Params, before: Message): string | null {
  const poll = pollOf(before)?.poll;
  return poll && media?._ === 'inputMediaPoll' && media.poll.closed ? poll.id : null;
}

function requireAuthor(call: CallContext, peer: Peer, found: FoundMessage): Message {
  const { message } = found;
  if (message._ !== 'message') throw new MessengerError('MESSAGE_ID_INVALID');
  const { out } = viewChannelMessage(found, call.account.userId, { mentionUnread: false, consumed: true });
  const mayEditPosts =
    peer.kind === 'channel' && message.post === true && isAllowed(peer.member, 'editMessages');
  if ((!out && !mayEditPosts) || message.fwdFrom) throw new MessengerError('MESSAGE_AUTHOR_REQUIRED');
  if (!mayEditPosts && message.date + EDITABLE_S < call.date && endsInTime(call, peer, message))
    throw new MessengerError('MESSAGE_EDIT_TIME_EXPIRED');
  if (!mayEditPosts) requireWriteAccess(call, peer);
  if (peer.kind === 'channel' && peer.member) expectOwnMember(call, peer);
  return message;
}

// Bots may edit what they have sent at any time, as may who pins messages in a supergroup; polls are closed at any time.
function endsInTime({ account }: CallContext, peer: Peer, message: Message): boolean {
  if (account.bot || pollOf(message)) return false;
  if (peer.kind === 'channel') return !(message.post !== true && isAllowed(peer.member, 'pinMessages'));
  return peer.kind === 'chat' || peer.id !== account.userId;
}

async function toContent(call: CallContext, params: Params, before: Message): Promise<Content> {
  const [{ message, entities, richMessage }, media] = await Promise.all([
    toText(call, params, before),
    params.media ? toNewMedia(call, params.media, before) : before.media,
  ]);
  if (message === '' && !media && !richMessage) throw new MessengerError('MESSAGE_EMPTY');
  if (media) refuseLongCaption(message);
  const replyMarkup = (await readReplyMarkup(call, params.replyMarkup)) ?? keptMarkup(before);
  return {
    message,
    ...(entities?.length ? { entities } : {}),
    ...(media ? { media } : {}),
    ...(media && params.invertMedia ? { invertMedia: true } : {}),
    ...(richMessage ? { richMessage } : {}),
    ...(replyMarkup ? { replyMarkup } : {}),
  };
}

// Rich content replaces the text, and a text the rich content.
async function toText(
  call: CallContext,
  { message: text, entities: given, richMessage: givenRich }: Params,
  { message, entities, richMessage }: Message,
): Promise<Pick<Message, 'message'> & { [Key in 'entities' | 'richMessage']: Message[Key] | undefined }> {
  if (text === undefined && !givenRich) return { message, entities, richMessage };
  const trimmed = text?.trim() ?? '';
  if (trimmed.length > TEXT_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  const [marked, rich] = await Promise.all([
    text === undefined ? null : markText(call, text, given),
    givenRich ? toRichContent(call, givenRich) : null,
  ]);
  return { message: trimmed, entities: marked?.entities, richMessage: rich?.richMessage };
}

// A keyboard that is not given again goes, but an invoice keeps its button to pay.
function keptMarkup({ media, replyMarkup }: Message): Message['replyMarkup'] {
  return media?._ === 'messageMediaInvoice' ? replyMarkup : undefined;
}

function toNewMedia(call: CallContext, given: NonNullable<Params['media']>, { media }: Message) {
  if (media && (media._ !== 'messageMediaDocument' || isSelfDestructing(media)))
    throw new MessengerError('MEDIA_PREV_INVALID');
  if ('ttlSeconds' in given) throw new MessengerError('TTL_MEDIA_INVALID');
  return toMedia(call, given);
}

function sameContent(before: Content, after: Content): boolean {
  return textOf(before) === textOf(after);
}

function textOf({ message, entities, media, invertMedia, richMessage, replyMarkup }: Content): string {
  return JSON.stringify([message, entities, media, invertMedia, richMessage, replyMarkup]);
}

// Each copy keeps its own medium: the payer's shows the receipt of an invoice.
function ownMediumOf(copy: TlMessage, { media: _, ...content }: Content): Content {
  const media = mediaOf(copy);
  return media ? { ...content, media } : content;
}

function withContent(copy: TlMessage, content: Content, editDate: number): TlMessage {
  const {
    entities: _,
    media: __,
    richMessage: ___,
    replyMarkup: ____,
    invertMedia: _____,
    ...kept
  } = copy as Message;
  return { ...kept, ...content, editDate };
}

export const example: Example<'messages.editMessage'> = () => ({
  peer: SELF,
  id: 1,
  message: 'Welcome again',
});
