// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getBotCommands from './bots/get-bot-commands.ts';
import * as getBotInfo from './bots/get-bot-info.ts';
import * as getBotMenuButton from './bots/get-bot-menu-button.ts';
import * as resetBotCommands from './bots/reset-bot-commands.ts';
import * as setBotBroadcastDefaultAdminRights from './bots/set-bot-broadcast-default-admin-rights.ts';
import * as setBotCommands from './bots/set-bot-commands.ts';
import * as setBotGroupDefaultAdminRights from './bots/set-bot-group-default-admin-rights.ts';
import * as setBotInfo from './bots/set-bot-info.ts';
import * as setBotMenuButton from './bots/set-bot-menu-button.ts';

export const methods = {
  'bots.getBotCommands': getBotCommands.getBotCommands,
  'bots.getBotInfo': getBotInfo.getBotInfo,
  'bots.getBotMenuButton': getBotMenuButton.getBotMenuButton,
  'bots.resetBotCommands': resetBotCommands.resetBotCommands,
  'bots.setBotBroadcastDefaultAdminRights': setBotBroadcastDefaultAdminRights.setBroadcastRights,
  'bots.setBotCommands': setBotCommands.setBotCommands,
  'bots.setBotGroupDefaultAdminRights': setBotGroupDefaultAdminRights.setGroupRights,
  'bots.setBotInfo': setBotInfo.setBotInfo,
  'bots.setBotMenuButton': setBotMenuButton.setBotMenuButton,
};

export const examples = {
  'bots.getBotCommands': getBotCommands.example,
  'bots.getBotInfo': getBotInfo.example,
  'bots.getBotMenuButton': getBotMenuButton.example,
  'bots.resetBotCommands': resetBotCommands.example,
  'bots.setBotBroadcastDefaultAdminRights': setBotBroadcastDefaultAdminRights.example,
  'bots.setBotCommands': setBotCommands.example,
  'bots.setBotGroupDefaultAdminRights': setBotGroupDefaultAdminRights.example,
  'bots.setBotInfo': setBotInfo.example,
  'bots.setBotMenuButton': setBotMenuButton.example,
};

export const differences = {
  'bots.setBotCommands': setBotCommands.difference,
  'bots.setBotInfo': setBotInfo.difference,
};
