import { withMembers } from '../../../../src/with-members.ts';
import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { inputFile } from '../../examples/seeded-things.ts';
import { checkRandomIds } from '../../model/boxes/random-ids.ts';
import { draftPart, putDraft } from '../../model/conversations/drafts.ts';
import type { MessageDraft } from '../../model/messages/post.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { findReply } from '../../model/messages/replies.ts';
import {
  refusePremiumOptions,
  refuseSuggestedPost,
  shownOptions,
} from '../../model/messages/send-options.ts';
import { toSentUpdates } from '../../model/messages/sent-updates.ts';
import { buyButton } from '../../model/payments/invoices.ts';
import { prepareMedia, showMedia } from '../../model/payments/prepare-media.ts';
import { refuseSendAs } from '../../model/peers/refuse-send-as.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { pollOriginOf, savePoll } from '../../model/polls/input-poll-media.ts';
import { refusePublicVoters } from '../../model/polls/polls.ts';
import { isForLater, schedule } from '../../model/scheduled/schedule.ts';
import { refuseLongCaption } from '../../model/text/caption.ts';
import { markText } from '../../model/text/entities.ts';
import { readReplyMarkup } from '../../model/text/reply-markup.ts';

/** Sends a medium, with or without a caption. */
export const sendMedia = defineMethod('messages.sendMedia', async (params, call) => {
  const { randomId, silent, noforwards } = params;
  refusePremiumOptions(params);
  const replyMarkup = await readReplyMarkup(call, params.replyMarkup);
  const message = params.message.trim();
  refuseLongCaption(message);
  const isLater = isForLater(call, params.scheduleDate);
  const [peer, { media, invoice, poll }, { entities, mentions }, recordSent] = await Promise.all([
    resolvePeer(call, params.peer),
    prepareMedia(call, params.media, params.replyMarkup, isLater ? params.scheduleDate : call.date),
    markText(call, params.message, params.entities),
    checkRandomIds(call, randomId),
    refuseSendAs(call, params.sendAs),
  ]);
  refusePublicVoters(media, peer);
  refuseSuggestedPost(peer, params.suggestedPost);
  const reply = await findReply(call, peer, params.replyTo);
  const draft: MessageDraft = {
    _: 'message',
    message,
    ...showMedia(call, peer, media),
    ...shownOptions(call, peer, params),
    ...(entities.length > 0 ? { entities } : {}),
    ...(silent ? { silent } : {}),
    ...(noforwards ? { noforwards } : {}),
    ...(replyMarkup ? { replyMarkup } : {}),
    ...(invoice && !replyMarkup ? { replyMarkup: buyButton(invoice) } : {}),
  };
  if (params.clearDraft) await putDraft(call, draftPart(call, peer, reply?.thread), null);
  if (isLater) {
    const { replyTo, scheduleDate = 0 } = params;
    const outgoing = { draft, randomId, mentions, reply, replyTo, invoiceId: invoice?.id, poll };
    return schedule(call, peer, [outgoing], { date: scheduleDate, recordSent });
  }
  const posted = await postMessage(call, peer, draft, { mentions, reply, invoiceId: invoice?.id });
  if (poll) savePoll(call, poll, pollOriginOf(peer, posted.message.id, reply?.thread));
  recordSent(randomId, posted.message.id);
  return toSentUpdates(call, peer, withMembers(posted, { randomId }));
});

export const example: Example<'messages.sendMedia'> = async (context) => ({
  peer: await peerUser(context, 'contactId'),
  media: {
    _: 'inputMediaUploadedDocument',
    file: inputFile(context, 'hello.txt'),
    mimeType: 'text/plain',
    attributes: [],
  },
  message: 'A file',
});

export const difference =
  'Documents (without thumbnails), polls and invoices only. Nobody has the Premium that to-do lists need.';
