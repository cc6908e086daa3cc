import type { tl } from '@mtcute/core';
import type { MethodParams, TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { inputFile } from '../../examples/seeded-things.ts';
import { startsUnread } from '../../model/boxes/media.ts';
import { refuseSentRandomId } from '../../model/boxes/random-ids.ts';
import { toMedia } from '../../model/files/input-media.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { findReply } from '../../model/messages/replies.ts';
import { toSentUpdates } from '../../model/messages/sent-updates.ts';
import { addInvoice } from '../../model/payments/input-invoice-media.ts';
import { buyButton, type InvoiceRecord, toInvoiceMedia } from '../../model/payments/invoices.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { originOf, savePoll, toPoll, toPollMedia } from '../../model/polls/input-poll-media.ts';
import { type PollRecord, refusePublicVoters } from '../../model/polls/polls.ts';
import { markText } from '../../model/text/entities.ts';
import { readReplyMarkup } from '../../model/text/reply-markup.ts';

type Params = MethodParams<'messages.sendMedia'>;
type Media = TlJson<tl.TypeMessageMedia>;

const CAPTION_MAX = 1_024;

/** Sends a medium, with or without a caption. */
export const sendMedia = defineMethod('messages.sendMedia', async (params, call) => {
  const { randomId, silent, noforwards } = params;
  const replyMarkup = readReplyMarkup(call, params.replyMarkup);
  const message = params.message.trim();
  if (message.length > CAPTION_MAX) throw new MessengerError('MEDIA_CAPTION_TOO_LONG');
  if (params.scheduleDate !== undefined) throw new MessengerError('SCHEDULE_DATE_INVALID');
  const [peer, { media, invoice, poll }, { entities, mentions }, claim] = await Promise.all([
    resolvePeer(call, params.peer),
    prepare(call, params),
    markText(call, params.message, params.entities),
    refuseSentRandomId(call, randomId),
  ]);
  refusePublicVoters(media, peer);
  const reply = await findReply(call, peer, params.replyTo);
  const isOwnChat = peer.kind === 'user' && peer.id === call.account.userId;
  const posted = await postMessage(
    call,
    peer,
    {
      _: 'message',
      message,
      media,
      ...(startsUnread(media) && !isOwnChat ? { mediaUnread: true } : {}),
      ...(entities.length > 0 ? { entities } : {}),
      ...(silent ? { silent } : {}),
      ...(noforwards ? { noforwards } : {}),
      ...(replyMarkup ? { replyMarkup } : {}),
      ...(invoice && !replyMarkup ? { replyMarkup: buyButton(invoice) } : {}),
    },
    { mentions, reply, invoiceId: invoice?.id },
  );
  if (poll) savePoll(call, poll, originOf(peer, posted.message.id, reply?.thread));
  claim(randomId, posted.message.id);
  return toSentUpdates(call, peer, posted, randomId);
});

interface Prepared {
  media: Media;
  invoice?: InvoiceRecord;
  poll?: PollRecord;
}

// An invoice and a poll are more than what a message shows of them.
async function prepare(call: CallContext, { media: given, replyMarkup }: Params): Promise<Prepared> {
  if (given._ === 'inputMediaInvoice') {
    const invoice = addInvoice(call, given, replyMarkup);
    return { media: toInvoiceMedia(invoice), invoice };
  }
  if (given._ === 'inputMediaPoll') {
    const poll = await toPoll(call, given);
    return { media: toPollMedia(poll), poll };
  }
  return { media: await toMedia(call, given) };
}

export const example: Example<'messages.sendMedia'> = async (exemplar) => ({
  peer: await peerUser(exemplar, 'contactId'),
  media: {
    _: 'inputMediaUploadedDocument',
    file: inputFile(exemplar, 'hello.txt'),
    mimeType: 'text/plain',
    attributes: [],
  },
  message: 'A file',
});

export const difference =
  'Uploaded documents, documents, polls and invoices can be sent; there are no photos of their own kind.';
