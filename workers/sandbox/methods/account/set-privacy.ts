import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { getSelf, targetOf } from '../../model/people/users.ts';
import { privacyKey } from '../../model/privacy/keys.ts';
import { toPrivacyRules } from '../../model/privacy/privacy.ts';
import { toStoredName } from '../../model/privacy/privacy-names.ts';
import { viewPrivacyRules } from '../../model/privacy/privacy-view.ts';

/** Changes who may do something to the account, such as add it to groups (`inputPrivacyKeyChatInvite`). */
export const setPrivacy = defineMethod('account.setPrivacy', async ({ key, rules: given }, call) => {
  const [rules, self] = await Promise.all([toPrivacyRules(call, given), getSelf(call)]);
  const name = toStoredName(key._);
  call.tx.hset(privacyKey(self.id), name, rules);
  call.tx.update(targetOf(self), { _: 'updatePrivacy', key: { _: name }, rules });
  return viewPrivacyRules(call, rules);
});

export const difference =
  'The rules for invitations, forwards and phone numbers (`AddedByPhone`) hold; the others are kept, and hide nothing. Of the groups that the rules of all users of a call name, 1,000 are looked at, about 1 MiB of their members: each further one counts against the account that calls.';

export const example: Example<'account.setPrivacy'> = () => ({
  key: { _: 'inputPrivacyKeyChatInvite' },
  rules: [{ _: 'inputPrivacyValueAllowContacts' }],
});
