import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { readProfile, suggestRights } from '../../model/bots/bot-profile.ts';

/** Suggests the rights of the bot as an administrator of channels. Errors: `USER_BOT_REQUIRED`, `RIGHTS_NOT_MODIFIED`. */
export const setBroadcastRights = defineMethod(
  'bots.setBotBroadcastDefaultAdminRights',
  async ({ adminRights }, call) => {
    await suggestRights(call, 'channel-rights', adminRights);
    return true;
  },
);

export const example: Example<'bots.setBotBroadcastDefaultAdminRights'> = async ({ self, call }) => {
  const isSet = (await readProfile(call, self.id, 'channel-rights')) !== null;
  return self.bot && !isSet ? { adminRights: { _: 'chatAdminRights', postMessages: true } } : null;
};
