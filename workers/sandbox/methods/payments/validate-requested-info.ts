import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { INVOICE } from '../../examples/seeded-things.ts';
import { getShownInvoice } from '../../model/payments/invoices.ts';
import { changePaymentProfile } from '../../model/payments/payment-profiles.ts';
import { putValidatedInfo, readRequestedInfo, requestsInfo } from '../../model/payments/requested-info.ts';
import { shippingOptionsOf } from '../../model/payments/shipping.ts';
import { savedInfoOf } from '../../seed/payments.ts';

/**
 * Validates the information that the account gives for an invoice. With `save`, stores the parts that the invoice asks for, for the
 * account's next payments.
 */
export const validateRequestedInfo = defineMethod(
  'payments.validateRequestedInfo',
  async ({ invoice, info, save }, call) => {
    const { record } = await getShownInvoice(call, invoice);
    const asked = readRequestedInfo(record, info);
    if (save && requestsInfo(record))
      await changePaymentProfile(call, (profile) => ({
        ...profile,
        savedInfo: asked,
      }));
    const shippingOptions = shippingOptionsOf(record);
    return {
      _: 'payments.validatedRequestedInfo',
      ...(requestsInfo(record) ? { id: putValidatedInfo(call, { invoiceId: record.id, info: asked }) } : {}),
      ...(shippingOptions.length > 0 ? { shippingOptions } : {}),
    };
  },
);

export const example: Example<'payments.validateRequestedInfo'> = ({ self }) => ({
  invoice: INVOICE,
  info: savedInfoOf(self),
  save: true,
});
