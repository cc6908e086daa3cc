import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { INVOICE } from '../../examples/seeded-things.ts';
import { findTransfer } from '../../model/gifts/transfers.ts';
import { getShownInvoice } from '../../model/payments/invoices.ts';
import { countPaidForms, toFormId } from '../../model/payments/payment-forms.ts';
import { findPaymentProfile } from '../../model/payments/payment-profiles.ts';
import { paymentWaysOf } from '../../model/payments/payment-provider.ts';
import { viewUsers } from '../../model/people/view-users.ts';

/**
 * The form with which the account can pay an invoice within ten minutes, filled with its saved payment information. Error:
 * `NO_PAYMENT_NEEDED` for giving a gift away, which costs nothing.
 */
export const getPaymentForm = defineMethod('payments.getPaymentForm', async (params, call) => {
  if (params.invoice._ === 'inputInvoiceStarGiftTransfer') {
    await findTransfer(call, params.invoice.stargift, params.invoice.toId);
    throw new MessengerError('NO_PAYMENT_NEEDED');
  }
  const { record } = await getShownInvoice(call, params.invoice);
  const { botId, title, description, photo, invoice } = record;
  const [users, paid, { savedInfo, cards }] = await Promise.all([
    viewUsers(call, [botId]),
    countPaidForms(call),
    findPaymentProfile(call),
  ]);
  return {
    _: 'payments.paymentForm',
    canSaveCredentials: true,
    formId: toFormId(call, record, paid),
    botId,
    title,
    description,
    ...(photo ? { photo } : {}),
    invoice,
    ...paymentWaysOf(record),
    ...(savedInfo ? { savedInfo } : {}),
    ...(cards.length > 0 ? { savedCredentials: cards } : {}),
    users,
  };
});

export const example: Example<'payments.getPaymentForm'> = () => ({ invoice: INVOICE });

export const difference = 'Only for an invoice in a message. Nothing is paid with Stars.';
