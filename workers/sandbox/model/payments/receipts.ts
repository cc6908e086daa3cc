import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { receiptsKey } from './keys.ts';

/** A payment that was made. */
export interface ReceiptRecord {
  invoiceId: string;
  /** The conversation the invoice was paid in. */
  invoicePeer: PeerKey;
  date: number;
  info: TlJson<tl.RawPaymentRequestedInfo> | null;
  shipping: TlJson<tl.RawShippingOption> | null;
  tipAmount: string | null;
  totalAmount: string;
  credentialsTitle: string;
}

/** Keeps the receipt of a payment of the calling account under the id of its service message. */
export function putReceipt(call: CallContext, messageId: number, receipt: ReceiptRecord): void {
  call.tx.hset(receiptsKey(call.account.userId), messageId, receipt);
}

/** The receipt of the payment in the calling account's message of this id, or null. */
export async function findReceipt(call: CallContext, messageId: number): Promise<ReceiptRecord | null> {
  const raw = await call.tx.read.hget(call.tx.key(receiptsKey(call.account.userId)), String(messageId));
  return raw === null ? null : (JSON.parse(raw) as ReceiptRecord);
}
