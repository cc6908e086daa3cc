import { defineMethod, MessengerError } from '../../driver.ts';
import { markText } from '../model/entities.ts';
import { addInvoice } from '../model/input-invoice-media.ts';
import { toMedia } from '../model/input-media.ts';
import { originOf, savePoll, toPoll, toPollMedia } from '../model/input-poll-media.ts';
import { buyButton, toInvoiceMedia } from '../model/invoices.ts';
import { startsUnread } from '../model/media.ts';
import { resolvePeer } from '../model/peers.ts';
import { postMessage } from '../model/post-message.ts';
import { refuseSentRandomId } from '../model/random-ids.ts';
import { findReply } from '../model/replies.ts';
import { toSentUpdates } from '../model/sent-updates.ts';

const CAPTION_MAX = 1_024;

/** Sends a medium, with or without a caption. */
export const sendMedia = defineMethod('messages.sendMedia', async (params, call) => {
  const { message, randomId, silent, noforwards, replyMarkup } = params;
  const given = params.media;
  if (message.length > CAPTION_MAX) throw new MessengerError('MEDIA_CAPTION_TOO_LONG');
  if (params.scheduleDate !== undefined) throw new MessengerError('SCHEDULE_DATE_INVALID');
  const invoice = given._ === 'inputMediaInvoice' ? addInvoice(call, given, replyMarkup) : null;
  const poll = given._ === 'inputMediaPoll' ? await toPoll(call, given) : null;
  const [peer, media, { entities, mentions }] = await Promise.all([
    resolvePeer(call, params.peer),
    invoice ? toInvoiceMedia(invoice) : poll ? toPollMedia(poll) : toMedia(call, given),
    markText(call, message, params.entities),
    refuseSentRandomId(call, randomId),
  ]);
  if (poll?.poll.publicVoters && peer.kind === 'channel' && peer.channel.kind === 'broadcast') {
    throw new MessengerError('BROADCAST_PUBLIC_VOTERS_FORBIDDEN');
  }
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
    { randomId, mentions, reply, invoiceId: invoice?.id },
  );
  if (poll) savePoll(call, poll, originOf(peer, posted.message.id, reply));
  return toSentUpdates(call, peer, posted, randomId);
});
