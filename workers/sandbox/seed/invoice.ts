import { Buffer } from 'node:buffer';
import { randomLong } from '../model/files/documents.ts';
import { buyButton, type InvoiceRecord, putInvoice, toInvoiceMedia } from '../model/payments/invoices.ts';
import { requestedInfoKey } from '../model/payments/keys.ts';
import type { ValidatedInfo } from '../model/payments/requested-info.ts';
import { savedInfoOf } from './payments.ts';
import type { Seeding } from './seeding.ts';

/** Stores an invoice of the account's bot that asks for all information and accepts tips. Returns the parts that a message needs. */
export function seedInvoice({ call, self, ids }: Seeding) {
  const invoice = { ...INVOICE, photo: newPhoto(), botId: ids.botId };
  const record = putInvoice(call, invoice, ids.invoiceId);
  const validated: ValidatedInfo = { invoiceId: record.id, info: savedInfoOf(self) };
  call.tx.hset(requestedInfoKey(self.id), randomLong(), validated);
  return { record, shown: { media: toInvoiceMedia(record), replyMarkup: buyButton(record) } };
}

const INVOICE: Omit<InvoiceRecord, 'id' | 'botId' | 'photo'> = {
  title: 'Switchboard T-shirt',
  description: 'A shirt of cotton, delivered to nobody',
  payload: Buffer.from('t-shirt').toString('base64'),
  providerData: '{}',
  startParam: 't-shirt',
  invoice: {
    _: 'invoice',
    test: true,
    nameRequested: true,
    phoneRequested: true,
    emailRequested: true,
    shippingAddressRequested: true,
    recurring: true,
    currency: 'USD',
    prices: [
      { _: 'labeledPrice', label: 'T-shirt', amount: '1999' },
      { _: 'labeledPrice', label: 'Wrapping', amount: '201' },
    ],
    maxTipAmount: '1000',
    suggestedTipAmounts: ['100', '300', '500'],
    termsUrl: 'https://shop.example.com/terms',
    subscriptionPeriod: 2_592_000,
  },
};

function newPhoto(): InvoiceRecord['photo'] {
  return {
    _: 'webDocument',
    url: 'https://shop.example.com/t-shirt.jpg',
    accessHash: randomLong(),
    size: 20_480,
    mimeType: 'image/jpeg',
    attributes: [{ _: 'documentAttributeImageSize', w: 640, h: 480 }],
  };
}
