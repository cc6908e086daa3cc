import type { CallContext } from '../../../driver.ts';
import { findUsers, type UserRecord } from './users.ts';

// Numbers of Telegram's own test range, which belong to nobody.
const PHONE_PREFIX = '99966';
const ID_DIGITS = 6;

/** The phone number of a user: its id is in it. */
export function phoneOf(userId: number): string {
  return `${PHONE_PREFIX}${String(userId).padStart(ID_DIGITS, '0')}`;
}

/** The users of these phone numbers, in any notation; null for a number that nobody has. */
export async function findUsersByPhone(
  call: CallContext,
  phones: readonly string[],
): Promise<(UserRecord | null)[]> {
  const numbers = phones.map((phone) => phone.replace(/\D/g, ''));
  const users = await findUsers(call, numbers.map(idIn));
  return users.map((user, i) => (user && user.phone === numbers[i] ? user : null));
}

function idIn(digits: string): number {
  return digits.startsWith(PHONE_PREFIX) ? Number(digits.slice(PHONE_PREFIX.length)) : 0;
}
