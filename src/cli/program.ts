import { styleText } from 'node:util';
import { Command, Option } from 'commander';
import { VERSION } from '../version.ts';
import { addAccountsCommand } from './commands/accounts.ts';
import { addCallCommand } from './commands/call.ts';
import { addCallsCommand } from './commands/calls.ts';
import { addCompletionCommands } from './commands/completion.ts';
import { addControlCommands } from './commands/control.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addListCommand } from './commands/list.ts';
import { addLoginCommands } from './commands/login.ts';
import { addMethodsCommand } from './commands/methods.ts';
import { addServiceCommands } from './commands/service.ts';
import { addTopCommand } from './commands/top.ts';
import { addUpdatesCommand } from './commands/updates.ts';
import { addWebhooksCommand } from './commands/webhooks.ts';
import { explainMistakes } from './setup/explain-mistakes.ts';
import { EXIT } from './terminal/failures.ts';

const NOTES = `
Address, key, workspace and account come from options, else from the environment, else from \`switchboard login\`, else from the
\`npm start\` of this folder (of SWITCHBOARD_DATA_DIR, if that is set).

Exit codes: ${EXIT.ok} done; ${EXIT.problem} the API answered with a problem, a wait was too short, or the output cannot be written; ${EXIT.usage} the command is wrong;
${EXIT.noAnswer} no answer came, so a call may have taken effect; ${EXIT.defect} a defect of this program.

Output: tables and colours on a terminal, else lines with tabs; with --json a JSON value a line. NO_COLOR turns colours off.

Examples:
  switchboard methods --search "send message"
  switchboard call help.getSupport
  switchboard updates --follow`;

/** The command line with all its commands. */
export function makeProgram(): Command {
  const program: Command = new Command('switchboard')
    .description('Calls methods of messenger accounts, and shows and manages what a Switchboard has.')
    .version(VERSION, '-V, --version', 'say the version')
    .helpOption('-h, --help', 'say how to use it')
    .helpCommand('help [command]', 'say how to use a command')
    .addOption(new Option('--url <url>', 'address of the API (SWITCHBOARD_URL)'))
    .addOption(new Option('--key <key>', 'API key; others see it in the list of processes (SWITCHBOARD_KEY)'))
    .addOption(new Option('--workspace <id>', 'workspace (SWITCHBOARD_WORKSPACE)'))
    .addOption(new Option('--account <id>', 'messenger account (SWITCHBOARD_ACCOUNT)'))
    .addOption(new Option('--timeout <seconds>', 'how long to try at most').default('60'))
    .addOption(new Option('--json', 'JSON, a value a line'))
    .configureHelp({
      showGlobalOptions: true,
      // Not those of `calls` for `calls replay`, which refuses them.
      visibleGlobalOptions: (command) => (command.parent === null ? [] : [...program.options]),
      styleTitle: (text) => styleText('bold', text),
      styleCommandText: (text) => styleText('cyan', text),
    })
    .exitOverride()
    .addHelpText('after', NOTES);
  for (const add of [
    addCallCommand,
    addUpdatesCommand,
    addMethodsCommand,
    addListCommand,
    addAccountsCommand,
    addKeysCommand,
    addCallsCommand,
    addWebhooksCommand,
    addControlCommands,
    addDoctorCommand,
    addTopCommand,
    addServiceCommands,
    addLoginCommands,
    addCompletionCommands,
  ])
    add(program);
  explainMistakes(program);
  return program;
}
