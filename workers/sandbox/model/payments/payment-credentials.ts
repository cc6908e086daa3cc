import { createHash } from 'node:crypto';
import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { cutText } from '../common/cut-text.ts';
import { parseGivenJson } from '../common/given-json.ts';
import { findPaymentProfile } from './payment-profiles.ts';

// The buyer's cards, and each receipt, have it.
const TITLE_MAX = 64;

type Card = TlJson<tl.RawPaymentSavedCredentialsCard>;

/** The credentials of a payment. */
export interface Credentials {
  title: string;
  /** The card that the buyer wants to save. */
  save: Card | null;
}

/**
 * Reads a buyer's credentials. No provider is asked: any JSON object is accepted as new credentials; its `title` or `last4` names the card.
 * Errors: `PAYMENT_CREDENTIALS_INVALID`, and `TMP_PASSWORD_INVALID` for a saved card without a temporary password.
 */
export async function readCredentials(
  call: CallContext,
  credentials: TlJson<tl.TypeInputPaymentCredentials>,
): Promise<Credentials> {
  switch (credentials._) {
    case 'inputPaymentCredentialsSaved': {
      const { cards } = await findPaymentProfile(call);
      const card = cards.find(({ id }) => id === credentials.id);
      if (!card) throw new MessengerError('PAYMENT_CREDENTIALS_INVALID');
      if (credentials.tmpPassword === '') throw new MessengerError('TMP_PASSWORD_INVALID');
      return { title: card.title, save: null };
    }
    case 'inputPaymentCredentials': {
      const title = titleOf(parse(credentials.data.data));
      const id = createHash('sha256').update(credentials.data.data).digest('hex').slice(0, 24);
      return {
        title,
        save: credentials.save ? { _: 'paymentSavedCredentialsCard', id, title } : null,
      };
    }
    case 'inputPaymentCredentialsApplePay':
      parse(credentials.paymentData.data);
      return { title: 'Apple Pay', save: null };
    case 'inputPaymentCredentialsGooglePay':
      parse(credentials.paymentToken.data);
      return { title: 'Google Pay', save: null };
  }
}

function parse(text: string): Record<string, unknown> {
  const value = parseGivenJson(text);
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return value as Record<string, unknown>;
  throw new MessengerError('PAYMENT_CREDENTIALS_INVALID');
}

function titleOf({ title, last4 }: Record<string, unknown>): string {
  if (typeof title === 'string' && title !== '') return cutText(title, TITLE_MAX);
  return typeof last4 === 'string' ? cutText(`Card *${last4}`, TITLE_MAX) : 'Card';
}
