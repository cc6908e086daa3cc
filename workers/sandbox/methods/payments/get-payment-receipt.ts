import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { getInvoice } from '../../model/payments/invoices.ts';
import { PROVIDER_ID } from '../../model/payments/payment-provider.ts';
import { findReceipt } from '../../model/payments/receipts.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { viewUsers } from '../../model/people/view-users.ts';
import { SEEDED_PAYMENT } from '../../seed/shop.ts';

/**
 * The receipt of a payment that the account made. The message is the payment's, in the chat with the bot, or that of the invoice, in the
 * invoice's chat.
 */
export const getPaymentReceipt = defineMethod('payments.getPaymentReceipt', async ({ peer, msgId }, call) => {
  const [{ key }, receipt] = await Promise.all([resolvePeer(call, peer), findReceipt(call, msgId)]);
  if (!receipt) throw new MessengerError('MESSAGE_ID_INVALID');
  const { botId, title, description, photo, invoice } = await getInvoice(call, receipt.invoiceId);
  if (key !== `u${botId}` && key !== receipt.invoicePeer) throw new MessengerError('MESSAGE_ID_INVALID');
  const { info, shipping, tipAmount } = receipt;
  return {
    _: 'payments.paymentReceipt',
    date: receipt.date,
    botId,
    providerId: PROVIDER_ID,
    title,
    description,
    ...(photo ? { photo } : {}),
    invoice,
    ...(info ? { info } : {}),
    ...(shipping ? { shipping } : {}),
    ...(tipAmount === null ? {} : { tipAmount }),
    currency: invoice.currency,
    totalAmount: receipt.totalAmount,
    credentialsTitle: receipt.credentialsTitle,
    users: await viewUsers(call, [botId]),
  };
});

export const example: Example<'payments.getPaymentReceipt'> = async (context) => {
  const receipt = await findReceipt(context.call, SEEDED_PAYMENT);
  return receipt && { peer: await peerUser(context, 'botId'), msgId: SEEDED_PAYMENT };
};
