import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { dayOf } from '../common/days.ts';
import { randomLong } from '../files/documents.ts';
import type { InvoiceRecord } from './invoices.ts';
import { requestedInfoKey } from './keys.ts';

type RequestedInfo = TlJson<tl.RawPaymentRequestedInfo>;

/** A buyer's validated information for one invoice. */
export interface ValidatedInfo {
  invoiceId: string;
  info: RequestedInfo;
}

// The information of a day is looked up on that day and the next; an hour more allows for clock differences.
const KEPT_MS = (2 * 24 + 1) * 60 * 60 * 1_000;
const LOOKED_AT = 100;
const EMAIL = /^[^\s@]{1,64}@(?:[^\s@.]{1,63}\.)+[^\s@.]{1,63}$/;
const PHONE = /^\+?\d{7,15}$/;
const LINE_MAX = 256;
const COUNTRY = /^[A-Z]{2}$/;

/** Whether an invoice asks its buyer for anything. */
export function requestsInfo({ invoice }: InvoiceRecord): boolean {
  const { nameRequested, phoneRequested, emailRequested, shippingAddressRequested, flexible } = invoice;
  return [nameRequested, phoneRequested, emailRequested, shippingAddressRequested, flexible].some(Boolean);
}

/**
 * The part of the given information that the invoice asks for. Errors, if that is missing or wrong: `FIRSTNAME_INVALID`,
 * `PHONE_NUMBER_INVALID`, `EMAIL_INVALID`, `ADDRESS_INVALID`.
 */
export function readRequestedInfo({ invoice }: InvoiceRecord, given: RequestedInfo): RequestedInfo {
  const info: RequestedInfo = { _: 'paymentRequestedInfo' };
  if (invoice.nameRequested) info.name = check(given.name, isFilled, 'FIRSTNAME_INVALID');
  if (invoice.phoneRequested) {
    info.phone = check(given.phone, (phone) => PHONE.test(phone), 'PHONE_NUMBER_INVALID');
  }
  if (invoice.emailRequested) info.email = check(given.email, isEmail, 'EMAIL_INVALID');
  if (invoice.shippingAddressRequested || invoice.flexible) {
    info.shippingAddress = check(given.shippingAddress, isAddress, 'ADDRESS_INVALID');
  }
  return info;
}

/** The keys of the information with which a user can pay: what is seeded, what it has validated on that day, and what the day before. */
export function requestedInfoKeys(userId: number, date: number): string[] {
  const day = dayOf(date);
  return [requestedInfoKey(userId), requestedInfoKey(userId, day), requestedInfoKey(userId, day - 1)];
}

/** Stores validated information until the next day ends, and returns the id with which a payment refers to it. */
export function putValidatedInfo({ tx, account, date }: CallContext, validated: ValidatedInfo): string {
  const name = requestedInfoKey(account.userId, dayOf(date));
  const id = randomLong();
  tx.hset(name, id, validated);
  tx.expire(name, 'h', KEPT_MS);
  return id;
}

/** The information the calling account validated for an invoice under this id today or yesterday, or null. */
export async function findValidatedInfo(
  { tx, account, date }: CallContext,
  { id: invoiceId }: InvoiceRecord,
  id: string,
): Promise<RequestedInfo | null> {
  const names = requestedInfoKeys(account.userId, date);
  const all = await Promise.all(names.map((name) => tx.read.hget(tx.key(name), id)));
  const raw = all.find((one) => one !== null);
  const found = raw ? (JSON.parse(raw) as ValidatedInfo) : null;
  return found?.invoiceId === invoiceId ? found.info : null;
}

/** The id of some information that the calling account can use for an invoice, or null. Looks at some hundreds. */
export async function findValidatedId(
  { tx, account, date }: CallContext,
  { id: invoiceId }: InvoiceRecord,
): Promise<string | null> {
  const isFor = (text: string, i: number) =>
    i % 2 === 1 && (JSON.parse(text) as ValidatedInfo).invoiceId === invoiceId;
  for (const name of requestedInfoKeys(account.userId, date)) {
    const [, found] = await tx.read.hscan(tx.key(name), 0, 'COUNT', LOOKED_AT);
    const at = found.findIndex(isFor);
    if (at !== -1) return found[at - 1] as string;
  }
  return null;
}

function check<Value>(value: Value | undefined, isGood: (value: Value) => boolean, error: string): Value {
  if (value === undefined || !isGood(value)) throw new MessengerError(error);
  return value;
}

function isEmail(email: string): boolean {
  return email.length <= LINE_MAX && EMAIL.test(email);
}

function isAddress(address: TlJson<tl.RawPostAddress>): boolean {
  const { streetLine1, streetLine2, city, state, countryIso2, postCode } = address;
  return (
    isFilled(streetLine1) &&
    isFilled(city) &&
    COUNTRY.test(countryIso2) &&
    [streetLine2, state, postCode].every((line) => line.length <= LINE_MAX)
  );
}

function isFilled(line: string): boolean {
  return line.trim() !== '' && line.length <= LINE_MAX;
}
