/**
 * The keys of payments. The letters are those of `common/keys.ts`.
 *
 *   payment-profiles    hash: U -> PaymentProfile
 *   invoices            hash: invoice id -> InvoiceRecord
 *   receipts:U          hash: id of the service message by which U paid, in U's box -> ReceiptRecord
 *   requested-info:U    hash: id -> ValidatedInfo, of what is seeded
 *   requested-info:U:<day>  hash: id -> ValidatedInfo, of what U has validated that day; kept for 49 hours after the last
 *   paid-forms:U        hash: id of a form by which U has paid; kept until none of them is valid any more
 */
export const PAYMENT_PROFILES = 'payment-profiles';
export const INVOICES = 'invoices';

export function receiptsKey(userId: number): string {
  return `receipts:${userId}`;
}

export function paidFormsKey(userId: number): string {
  return `paid-forms:${userId}`;
}

/** Information for invoices: what is seeded, or what the user has validated on a day. */
export function requestedInfoKey(userId: number, day?: number): string {
  return day === undefined ? `requested-info:${userId}` : `requested-info:${userId}:${day}`;
}
