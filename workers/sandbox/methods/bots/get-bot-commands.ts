import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { readCommands, toListField } from '../../model/bots/bot-commands.ts';

/** The commands of the bot in a scope, for a language. */
export const getBotCommands = defineMethod('bots.getBotCommands', async ({ scope, langCode }, call) =>
  readCommands(call, await toListField(call, scope, langCode)),
);

export const example: Example<'bots.getBotCommands'> = ({ self }) =>
  self.bot ? { scope: { _: 'botCommandScopeDefault' }, langCode: '' } : null;
