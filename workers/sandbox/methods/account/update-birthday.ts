import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { changeSelf } from '../../model/people/change-self.ts';
import { targetOf } from '../../model/people/users.ts';

type Birthday = NonNullable<MethodParams<'account.updateBirthday'>['birthday']>;

const YEARS_MAX = 150;
// A leap year, for birthdays without a year: 29 February must be valid.
const LEAP_YEAR = 2000;

/** Sets the account's birthday, or with none removes it. Error: `BIRTHDAY_INVALID`. */
export const updateBirthday = defineMethod('account.updateBirthday', async ({ birthday }, call) => {
  if (birthday && !isPast(birthday, call)) throw new MessengerError('BIRTHDAY_INVALID');
  const { before, self } = await changeSelf(call, ({ birthday: _, ...user }) => ({
    ...user,
    ...(birthday ? { birthday } : {}),
  }));
  if (self !== before) call.tx.update(targetOf(self), { _: 'updateUser', userId: self.id });
  return true;
});

function isPast({ day, month, year }: Birthday, { date }: CallContext): boolean {
  const found = new Date(Date.UTC(year ?? LEAP_YEAR, month - 1, day));
  const isDay = found.getUTCMonth() === month - 1 && found.getUTCDate() === day;
  if (year === undefined) return isDay;
  const thisYear = new Date(date * 1_000).getUTCFullYear();
  return isDay && found.getTime() <= date * 1_000 && year > thisYear - YEARS_MAX;
}

export const example: Example<'account.updateBirthday'> = () => ({
  birthday: { _: 'birthday', day: 10, month: 12, year: 1990 },
});

export const difference = 'Everybody sees it.';
