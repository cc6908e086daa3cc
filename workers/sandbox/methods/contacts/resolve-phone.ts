import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { findUsersByPhone } from '../../model/people/phones.ts';
import { getSelf } from '../../model/people/users.ts';
import { findPrivacyRules, isAllowedBy } from '../../model/privacy/privacy.ts';

/** The user of a phone number, if its privacy rules let it be found by its number. Error: `PHONE_NOT_OCCUPIED`. */
export const resolvePhone = defineMethod('contacts.resolvePhone', async ({ phone }, call) => {
  const [[user], self] = await Promise.all([findUsersByPhone(call, [phone]), getSelf(call)]);
  if (!user) throw new MessengerError('PHONE_NOT_OCCUPIED');
  const rules = await findPrivacyRules(call, user.id, 'privacyKeyAddedByPhone');
  const isFound = user.id === self.id || (await isAllowedBy(call, rules, user.id, self));
  if (!isFound) throw new MessengerError('PHONE_NOT_OCCUPIED');
  const peer = { _: 'peerUser' as const, userId: user.id };
  return { _: 'contacts.resolvedPeer', peer, ...(await listMentioned(call, [peer])) };
});

export const example: Example<'contacts.resolvePhone'> = ({ self }) =>
  self.phone === null ? null : { phone: self.phone };
