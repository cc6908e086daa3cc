import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { changePaymentProfile } from '../../model/payments/payment-profiles.ts';

/** Deletes the account's saved cards, its saved payment information, or both. */
export const clearSavedInfo = defineMethod('payments.clearSavedInfo', async ({ credentials, info }, call) => {
  if (!credentials && !info) return true;
  await changePaymentProfile(call, ({ cards, savedInfo }) => ({
    cards: credentials ? [] : cards,
    savedInfo: info ? null : savedInfo,
  }));
  return true;
});

export const example: Example<'payments.clearSavedInfo'> = () => ({ credentials: true, info: true });
