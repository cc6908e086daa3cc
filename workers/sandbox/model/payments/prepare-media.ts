import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { startsUnread } from '../boxes/media.ts';
import { toMedia } from '../files/input-media.ts';
import type { Peer } from '../peers/peer.ts';
import { toPoll, toPollMedia } from '../polls/input-poll-media.ts';
import type { PollRecord } from '../polls/polls.ts';
import { addInvoice } from './input-invoice-media.ts';
import { type InvoiceRecord, toInvoiceMedia } from './invoices.ts';

type Media = TlJson<tl.TypeMessageMedia>;

const TTL_MAX_S = 60;
// The `ttlSeconds` of media that can be viewed once. Source: core.telegram.org/constructor/inputMediaUploadedDocument.
const ONCE = 0x7fffffff;

/** The medium of a message, and the record that is kept with the message. */
export interface PreparedMedia {
  media: Media;
  invoice?: InvoiceRecord;
  poll?: PollRecord;
}

/** Converts the sender's medium. An invoice is saved at once; the caller saves a poll with its message. */
export async function prepareMedia(
  call: CallContext,
  given: TlJson<tl.TypeInputMedia>,
  replyMarkup?: TlJson<tl.TypeReplyMarkup>,
  sentAt = call.date,
): Promise<PreparedMedia> {
  if (given._ === 'inputMediaInvoice') {
    const invoice = addInvoice(call, given, replyMarkup);
    return { media: toInvoiceMedia(invoice), invoice };
  }
  if (given._ === 'inputMediaPoll') {
    const poll = await toPoll(call, given, sentAt);
    return { media: toPollMedia(poll), poll };
  }
  return { media: await toMedia(call, given) };
}

/**
 * A medium as a message of a conversation shows it; voice and round video messages start as unread. Error: `TTL_MEDIA_INVALID` for a
 * self-destructing medium outside a conversation with another user, or with a time of more than a minute.
 */
export function showMedia(call: CallContext, peer: Peer, media: Media): { media: Media; mediaUnread?: true } {
  const isOwnChat = peer.kind === 'user' && peer.id === call.account.userId;
  const ttl = media._ === 'messageMediaDocument' ? media.ttlSeconds : undefined;
  const isTtl = ttl === ONCE || (ttl !== undefined && ttl > 0 && ttl <= TTL_MAX_S);
  if (ttl !== undefined && !(isTtl && peer.kind === 'user' && !isOwnChat))
    throw new MessengerError('TTL_MEDIA_INVALID');
  return { media, ...(startsUnread(media) && !isOwnChat ? { mediaUnread: true } : {}) };
}
