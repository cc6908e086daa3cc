import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { parseGivenJson } from '../common/given-json.ts';
import type { InvoiceRecord } from './invoices.ts';

/** The user that is the payment provider of every bot. */
export const PROVIDER_ID = '778';

const FORM_URL = 'https://payments.example.com';

/** The ways to pay an invoice: the provider's page, its parameters for a native form, and further methods. */
export function paymentWaysOf({ id, providerData }: InvoiceRecord) {
  const nativeParams: TlJson<tl.RawDataJSON> = {
    _: 'dataJSON',
    data: nativeParamsOf(providerData),
  };
  const bank: TlJson<tl.RawPaymentFormMethod> = {
    _: 'paymentFormMethod',
    url: `${FORM_URL}/bank-transfer/${id}`,
    title: 'Bank transfer',
  };
  return {
    providerId: PROVIDER_ID,
    url: `${FORM_URL}/card/${id}`,
    nativeProvider: 'smartglocal',
    nativeParams,
    additionalMethods: [bank],
  };
}

// The bot's parameters override the provider's. Text that is not JSON, too long or too deep, or a plain value, adds none.
function nativeParamsOf(providerData: string): string {
  const ofProvider = {
    public_token: 'sandbox',
    need_country: false,
    need_zip: false,
    need_cardholder_name: true,
  };
  const ofBot = parseGivenJson(providerData);
  return JSON.stringify({ ...ofProvider, ...(typeof ofBot === 'object' ? ofBot : {}) });
}
