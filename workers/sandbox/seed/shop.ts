import { Buffer } from 'node:buffer';
import { userBox } from '../model/common/keys.ts';
import { pinnedKey, unreadKey } from '../model/conversations/keys.ts';
import { type InvoiceRecord, totalOf } from '../model/payments/invoices.ts';
import { receiptsKey } from '../model/payments/keys.ts';
import type { ReceiptRecord } from '../model/payments/receipts.ts';
import { savedInfoOf } from './payments.ts';
import { raiseLastMessageId, type Seeding, storePrivate } from './seeding.ts';

/** The bot's message with a button, and the account's payment message. */
export const SEEDED_BUTTON = 7;
export const SEEDED_PAYMENT = 8;

/** The data of the button. */
export const BUTTON_DATA = Buffer.from('opening hours').toString('base64');

/** The chat with the bot: a pinned message with a button, and a payment of the same kind of invoice as in the account's own chat. */
export async function seedShop(seeding: Seeding, { id: invoiceId, invoice }: InvoiceRecord): Promise<void> {
  const { call, self, ids } = seeding;
  const { tx, date } = call;
  const bot = { _: 'peerUser', userId: ids.botId } as const;
  const button = { _: 'keyboardButtonCallback', text: 'Opening hours', data: BUTTON_DATA } as const;
  storePrivate(seeding, `u${ids.botId}`, {
    _: 'message',
    id: SEEDED_BUTTON,
    fromId: bot,
    peerId: bot,
    date,
    message: 'How can I help you?',
    pinned: true,
    replyMarkup: { _: 'replyInlineMarkup', rows: [{ _: 'keyboardButtonRow', buttons: [button] }] },
  });
  tx.zadd(pinnedKey(self.id, `u${ids.botId}`), SEEDED_BUTTON, SEEDED_BUTTON);
  const [currency, totalAmount] = [invoice.currency, totalOf(invoice.prices)];
  storePrivate(seeding, `u${ids.botId}`, {
    _: 'messageService',
    id: SEEDED_PAYMENT,
    out: true,
    fromId: { _: 'peerUser', userId: self.id },
    peerId: bot,
    date,
    action: { _: 'messageActionPaymentSent', currency, totalAmount },
  });
  if (seeding.again) await raiseLastMessageId(call, userBox(self.id), SEEDED_PAYMENT);
  tx.hset(unreadKey(self.id), `read:u${ids.botId}`, String(SEEDED_PAYMENT));
  tx.hset(receiptsKey(self.id), SEEDED_PAYMENT, {
    invoiceId,
    invoicePeer: `u${ids.botId}`,
    date,
    info: savedInfoOf(self),
    shipping: null,
    tipAmount: null,
    totalAmount,
    credentialsTitle: 'Visa *4242',
  } satisfies ReceiptRecord);
}
