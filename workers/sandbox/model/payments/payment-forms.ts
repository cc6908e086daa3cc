import { createHash } from 'node:crypto';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { InvoiceRecord } from './invoices.ts';
import { paidFormsKey } from './keys.ts';

// As on Telegram, a form is valid for ten minutes.
const KEPT_S = 600;
const PAID_BITS = 11;
const MARK_BITS = 20;

/**
 * The id of a new form with which the calling account can pay an invoice: its creation time, `paid`, and a hash of account and invoice.
 * `paid` is how many forms the account has paid lately: after a payment, a form of the same second is another one.
 */
export function toFormId(call: CallContext, record: InvoiceRecord, paid = 0): string {
  return formIdOf(call, record, call.date, BigInt.asUintN(PAID_BITS, BigInt(paid)));
}

/** How many forms the calling account has paid lately. */
export function countPaidForms({ tx, account }: CallContext): Promise<number> {
  return tx.read.hlen(tx.key(paidFormsKey(account.userId)));
}

/** Throws `FORM_ID_EMPTY`, `FORM_EXPIRED`, or `FORM_UNSUPPORTED` if it is not a form of this account and invoice. */
export function checkForm(call: CallContext, record: InvoiceRecord, formId: string): void {
  if (formId === '0') throw new MessengerError('FORM_ID_EMPTY');
  const counted = BigInt(formId) >> BigInt(MARK_BITS);
  const madeAt = Number(counted >> BigInt(PAID_BITS));
  if (formIdOf(call, record, madeAt, BigInt.asUintN(PAID_BITS, counted)) !== formId)
    throw new MessengerError('FORM_UNSUPPORTED');
  if (call.date - madeAt > KEPT_S) throw new MessengerError('FORM_EXPIRED');
}

/** Notes that the calling account pays by a form. Error: `FORM_SUBMIT_DUPLICATE` if it has already done so. */
export async function takeForm({ tx, account }: CallContext, formId: string): Promise<void> {
  const name = paidFormsKey(account.userId);
  if ((await tx.observe(name, formId)) !== null) throw new MessengerError('FORM_SUBMIT_DUPLICATE');
  tx.hset(name, formId, '1');
  tx.expire(name, 'h', 2 * KEPT_S * 1_000);
}

function formIdOf({ account }: CallContext, { id }: InvoiceRecord, madeAt: number, paid: bigint): string {
  const text = `${id}:${account.userId}:${madeAt}:${paid}`;
  const mark = createHash('sha256').update(text).digest().readUInt32BE() >>> (32 - MARK_BITS);
  return (
    (BigInt(madeAt) << BigInt(PAID_BITS + MARK_BITS)) |
    (paid << BigInt(MARK_BITS)) |
    BigInt(mark)
  ).toString();
}
