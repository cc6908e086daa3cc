import type { Command } from 'commander';
import { LISTS } from '../setup/columns.ts';
import { action, ask, needWorkspace, order } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { ALL, LIMIT, showList } from '../setup/paged.ts';
import { addDeleteCommand, recordPath } from '../setup/record-path.ts';

const PATH = '/v1/messenger-accounts';
const COLUMNS = LISTS['messenger-accounts'] ?? [];

/** `switchboard accounts`: the messenger accounts. */
export function addAccountsCommand(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('Shows, connects and deletes messenger accounts.')
    .addHelpText(
      'after',
      examples('accounts list', 'accounts create Ada --workspace ws_…', 'accounts show acc_…'),
    );
  accounts
    .command('list', { isDefault: true })
    .description('Lists the accounts of the workspace, or without one all that the key may see.')
    .addOption(LIMIT)
    .addOption(ALL)
    .action(
      action(async (context) => {
        const { workspace } = context.settings;
        await showList(context, PATH, workspace === undefined ? {} : { workspaceId: workspace }, COLUMNS);
      }),
    );
  accounts
    .command('create')
    .alias('connect')
    .description('Connects an account to the workspace.')
    .argument('<name>', 'a name for people')
    .option('--driver <driver>', 'what executes its calls: one that workers serve', 'sandbox')
    .option('--bot', 'it is a bot')
    .option('--strict-peers', 'refuse empty peers and wrong access hashes, as the messenger does')
    .addHelpText('after', examples('accounts create Ada', 'accounts create Helper --bot --workspace ws_…'))
    .action(
      action(async (context, name: string) => {
        const { driver, bot = false, strictPeers = false } = context.options;
        const body = { name, workspaceId: needWorkspace(context), driver, bot, strictPeers };
        context.out.record(await order<object>(context, 'POST', PATH, body));
      }),
    );
  accounts
    .command('show')
    .description('Shows one account.')
    .argument('<id>', 'its id')
    .action(
      action(async (context, id: string) =>
        context.out.record(await ask<object>(context, recordPath(PATH, id))),
      ),
    );
  addDeleteCommand(accounts, PATH, {
    description: 'Disconnects an account and deletes what is kept of it.',
    what: 'its id',
  });
}
