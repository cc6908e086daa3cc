import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { findPrivacyRules } from '../../model/privacy/privacy.ts';
import { toStoredName } from '../../model/privacy/privacy-names.ts';
import { viewPrivacyRules } from '../../model/privacy/privacy-view.ts';

/** Who may do something to the account. */
export const getPrivacy = defineMethod('account.getPrivacy', async ({ key }, call) =>
  viewPrivacyRules(call, await findPrivacyRules(call, call.account.userId, toStoredName(key._))),
);

export const example: Example<'account.getPrivacy'> = () => ({ key: { _: 'inputPrivacyKeyChatInvite' } });
