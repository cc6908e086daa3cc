import { createHash } from 'node:crypto';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { InvoiceRecord } from './invoices.ts';

// As on Telegram, a form is valid for ten minutes.
const KEPT_S = 600;
const MAC_BITS = 31n;

/** The id of a new form with which the calling account can pay an invoice: its creation time, and a hash of account and invoice. */
export function toFormId(call: CallContext, record: InvoiceRecord): string {
  return formIdOf(call, record, call.date);
}

/** Throws `FORM_ID_EMPTY`, `FORM_EXPIRED`, or `FORM_UNSUPPORTED` if it is not a form of this account and invoice. */
export function checkForm(call: CallContext, record: InvoiceRecord, formId: string): void {
  if (formId === '0') throw new MessengerError('FORM_ID_EMPTY');
  const madeAt = Number(BigInt(formId) >> MAC_BITS);
  if (formIdOf(call, record, madeAt) !== formId) throw new MessengerError('FORM_UNSUPPORTED');
  if (call.date - madeAt > KEPT_S) throw new MessengerError('FORM_EXPIRED');
}

function formIdOf({ account }: CallContext, { id }: InvoiceRecord, madeAt: number): string {
  const mark = createHash('sha256').update(`${id}:${account.userId}:${madeAt}`).digest().readUInt32BE() >>> 1;
  return ((BigInt(madeAt) << MAC_BITS) | BigInt(mark)).toString();
}
