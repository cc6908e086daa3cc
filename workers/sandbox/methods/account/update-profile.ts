import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { cutText } from '../../model/common/cut-text.ts';
import { notifyOfName } from '../../model/conversations/notify-of-name.ts';
import { changeSelf } from '../../model/people/change-self.ts';
import { notifyOwnSessions, type UserRecord } from '../../model/people/users.ts';
import { toTlUser } from '../../model/people/view-users.ts';

// The limit for an account without Premium. Source: core.telegram.org/api/config.
const ABOUT_MAX = 70;
const NAME_MAX = 64;

/**
 * Changes the name and the bio of the account. Users who have a private chat with it are notified of a new name, its other sessions of a new
 * bio too.
 */
export const updateProfile = defineMethod('account.updateProfile', async (params, call) => {
  const firstName = params.firstName?.trim();
  const lastName = params.lastName === undefined ? undefined : cutText(params.lastName, NAME_MAX);
  const about = params.about?.trim();
  if (firstName === '' || (firstName ?? '').length > NAME_MAX) throw new MessengerError('FIRSTNAME_INVALID');
  if ((about ?? '').length > ABOUT_MAX) throw new MessengerError('ABOUT_TOO_LONG');
  const { before, self } = await changeSelf(call, (user) => ({
    ...user,
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(about === undefined ? {} : { about }),
  }));
  if (nameOf(self) !== nameOf(before)) await notifyOfName(call, self);
  if ((self.about ?? '') !== (before.about ?? ''))
    notifyOwnSessions(call, { _: 'updateUser', userId: self.id });
  return toTlUser(call, self);
});

function nameOf({ firstName, lastName = '' }: UserRecord): string {
  return `${firstName}\n${lastName}`;
}

export const example: Example<'account.updateProfile'> = ({ self }) => ({
  firstName: self.firstName,
  lastName: 'Lovelace',
  about: 'Counts, and more',
});
