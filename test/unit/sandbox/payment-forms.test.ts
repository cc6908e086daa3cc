import { expect, it } from 'vitest';
import type { CallContext } from '../../../workers/driver.ts';
import type { InvoiceRecord } from '../../../workers/sandbox/model/payments/invoices.ts';
import { checkForm, toFormId } from '../../../workers/sandbox/model/payments/payment-forms.ts';

const NOW = 1_800_000_000;
const invoice = { id: '17' } as InvoiceRecord;

function aCall(date = NOW, userId = 1_000): CallContext {
  return { date, account: { userId } } as CallContext;
}

it('takes a form for ten minutes', () => {
  const formId = toFormId(aCall(), invoice);
  expect(() => checkForm(aCall(NOW + 600), invoice, formId)).not.toThrow();
  expect(() => checkForm(aCall(NOW + 601), invoice, formId)).toThrow('FORM_EXPIRED');
});

it('refuses a form of another account, of another invoice, and of none', () => {
  const formId = toFormId(aCall(), invoice);
  expect(() => checkForm(aCall(NOW, 2_000), invoice, formId)).toThrow('FORM_UNSUPPORTED');
  expect(() => checkForm(aCall(), { ...invoice, id: '18' }, formId)).toThrow('FORM_UNSUPPORTED');
  expect(() => checkForm(aCall(), invoice, '-1')).toThrow('FORM_UNSUPPORTED');
  expect(() => checkForm(aCall(), invoice, '0')).toThrow('FORM_ID_EMPTY');
});
