import { randomUUID } from 'node:crypto';
import type { tl } from '@mtcute/core';
import type { MethodParams, TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { INVOICE } from '../../examples/seeded-things.ts';
import { findCopies, replaceMessage } from '../../model/boxes/messages.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { findMember } from '../../model/chats/chats.ts';
import { userBox } from '../../model/common/keys.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { isPublic, type ReplyTarget } from '../../model/messages/replies.ts';
import {
  getShownInvoice,
  type InvoiceRecord,
  type ShownInvoice,
  totalOf,
} from '../../model/payments/invoices.ts';
import { readCredentials } from '../../model/payments/payment-credentials.ts';
import { checkForm, takeForm, toFormId } from '../../model/payments/payment-forms.ts';
import { changePaymentProfile } from '../../model/payments/payment-profiles.ts';
import { putReceipt, type ReceiptRecord } from '../../model/payments/receipts.ts';
import { findValidatedId, findValidatedInfo, requestsInfo } from '../../model/payments/requested-info.ts';
import { shippingOptionsOf } from '../../model/payments/shipping.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { notifyOfEvent } from '../../model/people/account-events.ts';
import { findUser } from '../../model/people/users.ts';

type Params = MethodParams<'payments.sendPaymentForm'>;
type Update = TlJson<tl.TypeUpdate>;

// The oldest cards are removed.
const CARDS_MAX = 20;

/**
 * Pays an invoice: the payer and the bot each get a message about it, and the payer a receipt. Error: `FORM_SUBMIT_DUPLICATE` for a form
 * that was paid, or an invoice that shows its receipt.
 */
export const sendPaymentForm = defineMethod('payments.sendPaymentForm', async (params, call) => {
  const shown = await getShownInvoice(call, params.invoice);
  checkForm(call, shown.record, params.formId);
  refusePaid(call, shown);
  await takeForm(call, params.formId);
  const { save, receipt } = await readPayment(call, shown, params);
  if (save) {
    await changePaymentProfile(call, ({ cards, savedInfo }) => ({
      savedInfo,
      cards: [...cards.filter(({ id }) => id !== save.id), save].slice(-CARDS_MAX),
    }));
  }
  const { message, pts } = await postPayment(call, shown, receipt);
  putReceipt(call, message.id, receipt);
  const edited = showReceipt(call, shown, message.id);
  const updates: Update[] = [{ _: 'updateNewMessage', message, pts, ptsCount: 1 }, ...edited];
  return {
    _: 'payments.paymentResult',
    updates: {
      _: 'updates',
      updates,
      ...(await listMentioned(call, peersOf(...updates, shown.found.message))),
      date: call.date,
      seq: 0,
    },
  };
});

function refusePaid(call: CallContext, { record, found }: ShownInvoice): void {
  if (record.botId === call.account.userId) throw new MessengerError('INVOICE_INVALID');
  const { message } = found;
  const media = message._ === 'message' ? message.media : undefined;
  if (media?._ === 'messageMediaInvoice' && media.receiptMsgId !== undefined)
    throw new MessengerError('FORM_SUBMIT_DUPLICATE');
}

async function readPayment(call: CallContext, { record, peer }: ShownInvoice, params: Params) {
  const [{ title, save }, info] = await Promise.all([
    readCredentials(call, params.credentials),
    readInfo(call, record, params.requestedInfoId),
  ]);
  const shipping = readShipping(record, params.shippingOptionId);
  const tip = readTip(record, params.tipAmount);
  const prices = [...record.invoice.prices, ...(shipping?.prices ?? [])];
  const receipt: ReceiptRecord = {
    invoiceId: record.id,
    invoicePeer: peer.key,
    date: call.date,
    info,
    shipping,
    tipAmount: tip > 0n ? tip.toString() : null,
    totalAmount: (BigInt(totalOf(prices)) + tip).toString(),
    credentialsTitle: title,
  };
  return { save, receipt };
}

async function readInfo(call: CallContext, record: InvoiceRecord, id: string | undefined) {
  if (!requestsInfo(record)) return null;
  const info = id === undefined ? null : await findValidatedInfo(call, record, id);
  // Validated information is kept until the next day ends.
  if (!info) throw new MessengerError('FORM_EXPIRED');
  return info;
}

function readShipping(record: InvoiceRecord, id: string | undefined) {
  const options = shippingOptionsOf(record);
  if (options.length === 0) return null;
  const chosen = options.find((option) => option.id === id);
  if (!chosen) throw new MessengerError('FORM_UNSUPPORTED');
  return chosen;
}

function readTip({ invoice }: InvoiceRecord, given: string | undefined): bigint {
  const tip = BigInt(given ?? 0);
  if (tip < 0n || tip > BigInt(invoice.maxTipAmount ?? 0))
    throw new MessengerError('CURRENCY_TOTAL_AMOUNT_INVALID');
  return tip;
}

async function postPayment(call: CallContext, shown: ShownInvoice, receipt: ReceiptRecord) {
  const { botId, invoice, payload } = shown.record;
  const bot = await findUser(call, botId);
  if (!bot) throw new MessengerError('INVOICE_INVALID');
  const { info, shipping, totalAmount } = receipt;
  const until = {
    subscriptionUntilDate: call.date + (invoice.subscriptionPeriod ?? 0),
  };
  const amount = {
    currency: invoice.currency,
    totalAmount,
    ...(invoice.recurring ? { recurringInit: true } : {}),
    ...(invoice.subscriptionPeriod === undefined ? {} : until),
  };
  const charge = {
    _: 'paymentCharge',
    id: randomUUID(),
    providerChargeId: randomUUID(),
  } as const;
  return postMessage(
    call,
    { kind: 'user', id: botId, key: `u${botId}`, user: bot },
    {
      _: 'messageService',
      action: { _: 'messageActionPaymentSent', ...amount },
    },
    {
      reply: await replyTo(call, shown),
      toOthers: {
        _: 'messageService',
        action: {
          _: 'messageActionPaymentSentMe',
          ...amount,
          payload,
          ...(info ? { info } : {}),
          ...(shipping ? { shippingOptionId: shipping.id } : {}),
          charge,
        },
      },
    },
  );
}

// The payment answers the invoice, unless that is in a private chat without the bot. The bot hears of no other group or private
// channel either.
async function replyTo(
  call: CallContext,
  { peer, found, record }: ShownInvoice,
): Promise<ReplyTarget | undefined> {
  const header = { _: 'messageReplyHeader' } as const;
  if (peer.kind === 'channel') {
    const { id } = found.message;
    // Who only writes to a monoforum is no member of it.
    const isShown =
      isPublic(peer) ||
      found.thread === `u${record.botId}` ||
      (await findMember(call, peer.id, record.botId)) !== null;
    const ids = { [userBox(call.account.userId)]: id, ...(isShown ? { [userBox(record.botId)]: id } : {}) };
    return { header, ids, elsewhere: { peer: toTlPeer(peer), msgId: undefined } };
  }
  const [ids = {}] = await findCopies(call, [found]);
  if (peer.kind === 'chat') return { header, ids, elsewhere: { peer: toTlPeer(peer), msgId: undefined } };
  return peer.id === record.botId ? { header, ids } : undefined;
}

// A channel's message is the same for everybody: it cannot show one buyer's receipt.
function showReceipt(call: CallContext, { peer, found }: ShownInvoice, receiptMsgId: number): Update[] {
  const { message } = found;
  if (peer.kind === 'channel' || message._ !== 'message' || message.media?._ !== 'messageMediaInvoice')
    return [];
  const paid = { ...message, media: { ...message.media, receiptMsgId } };
  const box = userBox(call.account.userId);
  replaceMessage(call, box, found, paid);
  const self = { id: call.account.userId, accountId: call.account.id };
  const event = (pts: number): Update => ({ _: 'updateEditMessage', message: paid, pts, ptsCount: 1 });
  return [notifyOfEvent(call, self, 1, event).update];
}

export const example: Example<'payments.sendPaymentForm'> = async (context) => {
  const { call } = context;
  const { record } = await getShownInvoice(call, INVOICE);
  const requestedInfoId = await findValidatedId(call, record);
  if (requestedInfoId === null) return null;
  const data = { _: 'dataJSON', data: '{"last4":"4242"}' } as const;
  return {
    formId: toFormId(call, record),
    invoice: INVOICE,
    requestedInfoId,
    credentials: { _: 'inputPaymentCredentials', data },
  };
};

export const difference = 'No money moves; every card is accepted.';
