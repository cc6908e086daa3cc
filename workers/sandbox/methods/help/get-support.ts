import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { findUser, SUPPORT_USER_ID } from '../../model/people/users.ts';
import { toTlUser } from '../../model/people/view-users.ts';

/** The workspace's support user and its phone number. */
export const getSupport = defineMethod('help.getSupport', async (_params, call) => {
  const support = await findUser(call, SUPPORT_USER_ID);
  if (!support) throw new MessengerError('USER_ID_INVALID');
  return {
    _: 'help.support',
    phoneNumber: support.phone ?? '',
    user: toTlUser(call, support),
  };
});

export const example: Example<'help.getSupport'> = () => ({});

export const difference = 'The support user answers nobody.';
