import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { findPaymentProfile } from '../../model/payments/payment-profiles.ts';

/** The payment information the account has saved, and whether it has saved a card. */
export const getSavedInfo = defineMethod('payments.getSavedInfo', async (_params, call) => {
  const { savedInfo, cards } = await findPaymentProfile(call);
  return {
    _: 'payments.savedInfo',
    ...(cards.length > 0 ? { hasSavedCredentials: true } : {}),
    ...(savedInfo ? { savedInfo } : {}),
  };
});

export const example: Example<'payments.getSavedInfo'> = () => ({});
