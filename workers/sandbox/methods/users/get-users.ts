import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { TooManyNaming } from '../../model/peers/require-named-peer.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { viewUsers } from '../../model/people/view-users.ts';

type InputUser = MethodParams<'users.getUsers'>['id'][number];

const USERS_MAX = 100;

/** The users of these ids; unknown ids are left out, as on Telegram. */
export const getUsers = defineMethod('users.getUsers', async ({ id: asked }, call) => {
  const found = await Promise.all(asked.slice(0, USERS_MAX).map((user) => findInputUser(call, user)));
  return viewUsers(
    call,
    found.filter((user) => user !== null).map(({ id }) => id),
  );
});

async function findInputUser(call: CallContext, user: InputUser) {
  try {
    return await resolveUser(call, user);
  } catch (error) {
    if (error instanceof MessengerError && !(error instanceof TooManyNaming)) return null;
    throw error;
  }
}

export const example: Example<'users.getUsers'> = async (context) => ({
  id: [{ _: 'inputUserSelf' }, await inputUser(context, 'contactId')],
});

export const difference = 'Only the first 100 count.';
