import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { findUser, SUPPORT_USER_ID } from '../../model/people/users.ts';
import { viewUsers } from '../../model/people/view-users.ts';

/** The workspace's support user and its phone number. */
export const getSupport = defineMethod('help.getSupport', async (_params, call) => {
  const [support, [user]] = await Promise.all([
    findUser(call, SUPPORT_USER_ID),
    viewUsers(call, [SUPPORT_USER_ID]),
  ]);
  if (!support || !user) throw new MessengerError('USER_ID_INVALID');
  return {
    _: 'help.support',
    phoneNumber: support.phone ?? '',
    user,
  };
});

export const example: Example<'help.getSupport'> = () => ({});

export const difference = 'The support user answers nobody.';
