import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../src/tl/tl-json.ts';
import { PAYMENT_PROFILES } from '../model/payments/keys.ts';
import type { PaymentProfile } from '../model/payments/payment-profiles.ts';
import type { UserRecord } from '../model/people/users.ts';
import type { Seeding } from './seeding.ts';

/** Saved payment information and a card. */
export function seedPayments({ call, self }: Seeding): void {
  const profile: PaymentProfile = {
    savedInfo: savedInfoOf(self),
    cards: [{ _: 'paymentSavedCredentialsCard', id: 'card-1', title: 'Visa *4242' }],
  };
  call.tx.hset(PAYMENT_PROFILES, self.id, profile);
}

/** What an account has saved for payments. */
export function savedInfoOf(self: UserRecord): TlJson<tl.RawPaymentRequestedInfo> {
  return {
    _: 'paymentRequestedInfo',
    name: self.firstName,
    phone: self.phone ?? '99966000000',
    email: `account${self.id}@example.com`,
    shippingAddress: {
      _: 'postAddress',
      streetLine1: '1 Exchange Street',
      streetLine2: '',
      city: 'Springfield',
      state: '',
      countryIso2: 'US',
      postCode: '00000',
    },
  };
}
