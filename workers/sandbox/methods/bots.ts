// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getBotCommands from './bots/get-bot-commands.ts';
import * as resetBotCommands from './bots/reset-bot-commands.ts';
import * as setBotCommands from './bots/set-bot-commands.ts';

export const methods = {
  'bots.getBotCommands': getBotCommands.getBotCommands,
  'bots.resetBotCommands': resetBotCommands.resetBotCommands,
  'bots.setBotCommands': setBotCommands.setBotCommands,
};

export const examples = {
  'bots.getBotCommands': getBotCommands.example,
  'bots.resetBotCommands': resetBotCommands.example,
  'bots.setBotCommands': setBotCommands.example,
};

export const differences = {
  'bots.setBotCommands': setBotCommands.difference,
};
