/**
 * The keys of payments. The letters are those of `common/keys.ts`.
 *
 *   payment-profiles    hash: U -> PaymentProfile
 *   invoices            hash: invoice id -> InvoiceRecord
 *   receipts:U          hash: id of the service message by which U paid, in U's box -> ReceiptRecord
 *   requested-info:U    hash: id -> ValidatedInfo; kept for a day after the last
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

export function requestedInfoKey(userId: number): string {
  return `requested-info:${userId}`;
}
