import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { startsUnread } from '../boxes/media.ts';
import { toMedia } from '../files/input-media.ts';
import type { Peer } from '../peers/peer.ts';
import { toPoll, toPollMedia } from '../polls/input-poll-media.ts';
import type { PollRecord } from '../polls/polls.ts';
import { addInvoice } from './input-invoice-media.ts';
import { type InvoiceRecord, toInvoiceMedia } from './invoices.ts';

type Media = TlJson<tl.TypeMessageMedia>;

/** The medium a message is to show, and what is kept of it beside the message. */
export interface PreparedMedia {
  media: Media;
  invoice?: InvoiceRecord;
  poll?: PollRecord;
}

/** What the sender's medium becomes. An invoice is added at once, a poll is to be saved with the message that shows it. */
export async function prepareMedia(
  call: CallContext,
  given: TlJson<tl.TypeInputMedia>,
  replyMarkup?: TlJson<tl.TypeReplyMarkup>,
): Promise<PreparedMedia> {
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

/** A medium as a message of a conversation shows it: unread where it is to be listened to. */
export function showMedia(call: CallContext, peer: Peer, media: Media): { media: Media; mediaUnread?: true } {
  const isOwnChat = peer.kind === 'user' && peer.id === call.account.userId;
  return { media, ...(startsUnread(media) && !isOwnChat ? { mediaUnread: true } : {}) };
}
