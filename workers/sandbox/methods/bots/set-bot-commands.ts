import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { putCommands, toListField } from '../../model/bots/bot-commands.ts';

const COMMANDS_MAX = 100;
const COMMAND = /^[a-z0-9_]{1,32}$/;
const DESCRIPTION_MAX = 256;

/**
 * Replaces the commands of the bot in a scope, for a language. Errors: `BOT_COMMAND_INVALID` (also for more than 100 commands),
 * `BOT_COMMAND_DESCRIPTION_INVALID`.
 */
export const setBotCommands = defineMethod(
  'bots.setBotCommands',
  async ({ scope, langCode, commands }, call) => {
    const field = await toListField(call, scope, langCode);
    if (commands.length > COMMANDS_MAX) throw new MessengerError('BOT_COMMAND_INVALID');
    for (const { command, description } of commands) {
      if (!COMMAND.test(command)) throw new MessengerError('BOT_COMMAND_INVALID');
      if (description === '' || description.length > DESCRIPTION_MAX)
        throw new MessengerError('BOT_COMMAND_DESCRIPTION_INVALID');
    }
    await putCommands(call, field, commands);
    return true;
  },
);

export const example: Example<'bots.setBotCommands'> = ({ self }) =>
  self.bot
    ? {
        scope: { _: 'botCommandScopeDefault' },
        langCode: '',
        commands: [{ _: 'botCommand', command: 'start', description: 'Begins' }],
      }
    : null;

export const difference = 'Commands of other scopes than private chats are shown to the bot alone.';
