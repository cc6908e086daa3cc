import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { type MenuButton, readProfile, requireBot, toMenuField } from '../../model/bots/bot-profile.ts';

/** The menu button of the bot for a user, or with `inputUserEmpty` for everybody else. */
export const getBotMenuButton = defineMethod('bots.getBotMenuButton', async ({ userId }, call) => {
  requireBot(call);
  const button = await readProfile<MenuButton>(call, call.account.userId, await toMenuField(call, userId));
  return button ?? { _: 'botMenuButtonDefault' };
});

export const example: Example<'bots.getBotMenuButton'> = ({ self }) =>
  self.bot ? { userId: { _: 'inputUserEmpty' } } : null;
