import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { InvoiceRecord } from './invoices.ts';

type ShippingOption = TlJson<tl.RawShippingOption>;

/** The shipping options of an invoice; none unless its price is flexible. They are fixed, because the sandbox does not ask the bot. */
export function shippingOptionsOf({ invoice }: InvoiceRecord): ShippingOption[] {
  if (!invoice.flexible) return [];
  return [newOption('standard', 'Standard', '500'), newOption('express', 'Express', '1500')];
}

function newOption(id: string, title: string, amount: string): ShippingOption {
  return {
    _: 'shippingOption',
    id,
    title,
    prices: [{ _: 'labeledPrice', label: `${title} shipping`, amount }],
  };
}
