import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { putCommands, toListField } from '../../model/bots/bot-commands.ts';

/** Removes the commands of the bot in a scope, for a language. */
export const resetBotCommands = defineMethod('bots.resetBotCommands', async ({ scope, langCode }, call) => {
  await putCommands(call, await toListField(call, scope, langCode), []);
  return true;
});

export const example: Example<'bots.resetBotCommands'> = ({ self }) =>
  self.bot ? { scope: { _: 'botCommandScopeDefault' }, langCode: '' } : null;
