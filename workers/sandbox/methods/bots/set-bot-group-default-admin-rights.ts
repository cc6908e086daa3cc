import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { readProfile, suggestRights } from '../../model/bots/bot-profile.ts';

/** Suggests the rights of the bot as an administrator of groups. Errors: `USER_BOT_REQUIRED`, `RIGHTS_NOT_MODIFIED`. */
export const setGroupRights = defineMethod(
  'bots.setBotGroupDefaultAdminRights',
  async ({ adminRights }, call) => {
    await suggestRights(call, 'group-rights', adminRights);
    return true;
  },
);

export const example: Example<'bots.setBotGroupDefaultAdminRights'> = async ({ self, call }) => {
  const isSet = (await readProfile(call, self.id, 'group-rights')) !== null;
  return self.bot && !isSet ? { adminRights: { _: 'chatAdminRights', inviteUsers: true } } : null;
};
