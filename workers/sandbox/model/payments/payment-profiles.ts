import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { PAYMENT_PROFILES } from './keys.ts';

/** What a user has saved for payments. */
export interface PaymentProfile {
  savedInfo: TlJson<tl.RawPaymentRequestedInfo> | null;
  cards: TlJson<tl.RawPaymentSavedCredentialsCard>[];
}

/** The payment profile of the calling account; an empty one if it has saved nothing. */
export async function findPaymentProfile(call: CallContext): Promise<PaymentProfile> {
  return parse(await call.tx.read.hget(call.tx.key(PAYMENT_PROFILES), String(call.account.userId)));
}

/** Replaces what the calling account has saved; the commit fails if another call changed it meanwhile. */
export async function changePaymentProfile(
  call: CallContext,
  change: (profile: PaymentProfile) => PaymentProfile,
): Promise<void> {
  const raw = await call.tx.observe(PAYMENT_PROFILES, call.account.userId);
  call.tx.hset(PAYMENT_PROFILES, call.account.userId, change(parse(raw)));
}

function parse(raw: string | null): PaymentProfile {
  return raw === null ? { savedInfo: null, cards: [] } : (JSON.parse(raw) as PaymentProfile);
}
