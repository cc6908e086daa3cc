import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { findUsersByPhone } from '../../model/people/phones.ts';
import { getSelf } from '../../model/people/users.ts';
import { findAllowing } from '../../model/privacy/privacy.ts';

/** The user of a phone number, if its privacy rules let it be found by its number. Error: `PHONE_NOT_OCCUPIED`. */
export const resolvePhone = defineMethod('contacts.resolvePhone', async ({ phone }, call) => {
  const [[user], self] = await Promise.all([findUsersByPhone(call, [phone]), getSelf(call)]);
  if (!user) throw new MessengerError('PHONE_NOT_OCCUPIED');
  const isAllowed = async () =>
    (await findAllowing(call, [user.id], 'privacyKeyAddedByPhone', self)).has(user.id);
  if (user.id !== self.id && !(await isAllowed())) throw new MessengerError('PHONE_NOT_OCCUPIED');
  const peer = { _: 'peerUser' as const, userId: user.id };
  return { _: 'contacts.resolvedPeer', peer, ...(await listMentioned(call, [peer])) };
});

export const example: Example<'contacts.resolvePhone'> = ({ self }) =>
  self.phone === null ? null : { phone: self.phone };
