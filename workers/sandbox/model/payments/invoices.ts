import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { type FoundMessage, findMessages } from '../boxes/messages.ts';
import { ownThread } from '../conversations/topics.ts';
import { randomLong } from '../files/documents.ts';
import { boxOf, type Peer } from '../peers/peer.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';
import { peerKeyOf } from '../peers/tl-peer.ts';
import { INVOICES } from './keys.ts';

/** A bot's complete invoice: the message shows a part of it, the payment form the rest. */
export interface InvoiceRecord {
  id: string;
  botId: number;
  title: string;
  description: string;
  photo: TlJson<tl.RawWebDocument> | null;
  invoice: TlJson<tl.RawInvoice>;
  /** The bot's payload, which it gets back when the invoice is paid; base64. */
  payload: string;
  /** The bot's own settings for the provider's form, as JSON text. */
  providerData: string;
  startParam: string;
}

/** An invoice found by a message that shows it. */
export interface ShownInvoice {
  peer: Peer;
  found: FoundMessage;
  record: InvoiceRecord;
}

type InputInvoice = TlJson<tl.TypeInputInvoice>;

/** What a message shows of an invoice. */
export function toInvoiceMedia(record: InvoiceRecord): TlJson<tl.RawMessageMediaInvoice> {
  const { title, description, photo, invoice, startParam } = record;
  return {
    _: 'messageMediaInvoice',
    title,
    description,
    currency: invoice.currency,
    totalAmount: totalOf(invoice.prices),
    startParam,
    ...(photo ? { photo } : {}),
    ...(invoice.shippingAddressRequested ? { shippingAddressRequested: true } : {}),
    ...(invoice.test ? { test: true } : {}),
  };
}

/** A medium without its receipt: only the payer sees the receipt. */
export function withoutReceipt(media: TlJson<tl.TypeMessageMedia>): TlJson<tl.TypeMessageMedia> {
  if (media._ !== 'messageMediaInvoice') return media;
  const { receiptMsgId: _, ...unpaid } = media;
  return unpaid;
}

/** Stores a new invoice, so that messages that refer to it can be paid. */
export function putInvoice(
  call: CallContext,
  record: Omit<InvoiceRecord, 'id'>,
  id = randomLong(),
): InvoiceRecord {
  const kept: InvoiceRecord = { id, ...record };
  call.tx.hset(INVOICES, kept.id, kept);
  return kept;
}

/**
 * The invoice an `InputInvoice` names. Errors: `MESSAGE_ID_INVALID` for a message that the account does not see in that conversation,
 * `BOT_INVOICE_INVALID` for a message without an invoice, `SLUG_INVALID`, `INVOICE_INVALID` for other kinds of invoices.
 */
export async function getShownInvoice(call: CallContext, input: InputInvoice): Promise<ShownInvoice> {
  if (input._ === 'inputInvoiceSlug') throw new MessengerError('SLUG_INVALID');
  if (input._ !== 'inputInvoiceMessage') throw new MessengerError('INVOICE_INVALID');
  const peer = await resolvePeer(call, input.peer);
  const [found] = await findMessages(call, boxOf(call, peer), [input.msgId]);
  const visible = ownThread(call, peer);
  const isShown = found && (visible === undefined || found.thread === visible);
  if (!isShown || peerKeyOf(found.message.peerId) !== peer.key)
    throw new MessengerError('MESSAGE_ID_INVALID');
  if (found.invoiceId === undefined) throw new MessengerError('BOT_INVOICE_INVALID');
  return { peer, found, record: await getInvoice(call, found.invoiceId) };
}

/** The invoice of this id. Errors: `INVOICE_INVALID`. */
export async function getInvoice(call: CallContext, id: string): Promise<InvoiceRecord> {
  const raw = await call.tx.read.hget(call.tx.key(INVOICES), id);
  if (raw === null) throw new MessengerError('INVOICE_INVALID');
  return JSON.parse(raw) as InvoiceRecord;
}

/** The button of a message with an invoice if its bot gave no keyboard. */
export function buyButton({ invoice }: InvoiceRecord): TlJson<tl.RawReplyInlineMarkup> {
  const text = `Pay ${totalOf(invoice.prices)} ${invoice.currency}`;
  return {
    _: 'replyInlineMarkup',
    rows: [{ _: 'keyboardButtonRow', buttons: [{ _: 'keyboardButtonBuy', text }] }],
  };
}

/** The sum of prices, in the smallest units of their currency. */
export function totalOf(prices: readonly TlJson<tl.RawLabeledPrice>[]): string {
  return prices.reduce((sum, { amount }) => sum + BigInt(amount), 0n).toString();
}
