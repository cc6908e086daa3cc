import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { createAccounts, deleteAccounts, type NewAccount } from '../../client/accounts.ts';
import type { SwitchboardError } from '../../client/errors.ts';
import { mayBeRecorded } from '../../client/http/retry.ts';
import { LISTS } from '../setup/columns.ts';
import { action, ask, type Context, needWorkspace, remove, sayWhereToLook } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { ALL, LIMIT, showList } from '../setup/paged.ts';
import { recordPath } from '../setup/record-path.ts';
import { UsageError } from '../terminal/failures.ts';

const PATH = '/v1/messenger-accounts';
const AT_ONCE = 100;
const COLUMNS = LISTS['messenger-accounts'] ?? [];

/** `switchboard accounts`: the messenger accounts. */
export function addAccountsCommand(program: Command): void {
  const accounts = program
    .command('accounts')
    .summary('show, connect and delete messenger accounts')
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
    .description('Connects an account to the workspace, or several.')
    .argument('<names...>', 'their names, or - for one a line on standard input')
    .option('--driver <driver>', 'what executes its calls: one that workers serve', 'sandbox')
    .option('--bot', 'it is a bot')
    .option('--strict-peers', 'refuse empty peers and wrong access hashes, as the messenger does')
    .addHelpText(
      'after',
      examples(
        'accounts create Ada',
        'accounts create Helper --bot --workspace ws_…',
        'accounts create Ada Grace Linus',
        'accounts create - --json < names.txt',
      ),
    )
    .action(
      action(async (context, words: string[]) => {
        const { driver, bot = false, strictPeers = false } = context.options;
        const settings = { driver, bot, strictPeers } as Omit<NewAccount, 'name'>;
        const names = await readWords(words);
        const [name = '', ...others] = names;
        if (others.length > 0) return createMany(context, names, settings);
        await createOne(context, { name, ...settings });
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
  accounts
    .command('delete')
    .description('Disconnects an account, or several, and deletes what is kept of them.')
    .argument('<ids...>', 'their ids, or - for one a line on standard input')
    .action(
      action(async (context, words: string[]) => {
        const ids = await readWords(words);
        if (ids.length > 1) return deleteMany(context, ids);
        await remove(context, recordPath(PATH, ids[0] ?? ''));
        context.out.note(`${ids[0]} is deleted.`);
      }),
    );
}

/** The arguments of the command line, or for `-` the lines of standard input. */
async function readWords(words: string[]): Promise<string[]> {
  if (words.length > 1 || words[0] !== '-') return words;
  const lines = (await readAll(process.stdin)).split('\n').map((line) => line.trim());
  const found = lines.filter((line) => line !== '');
  if (found.length === 0) throw new UsageError('There is nothing on standard input.');
  return found;
}

async function createOne(context: Context, account: NewAccount): Promise<void> {
  const outcomes = await createAccounts(context.http, needWorkspace(context), [account], {});
  for (const outcome of outcomes) {
    if (outcome.ok) context.out.record({ ...outcome.account });
    else {
      sayWhereToLook(outcome.error, PATH);
      throw withoutKey(outcome.error);
    }
  }
}

async function createMany(
  context: Context,
  names: string[],
  settings: Omit<NewAccount, 'name'>,
): Promise<void> {
  const workspaceId = needWorkspace(context);
  const accounts = names.map((name) => ({ name, ...settings }));
  const failed: SwitchboardError[] = [];
  // A part at a time, to show the progress.
  for (let at = 0; at < accounts.length; at += AT_ONCE) {
    const outcomes = await createAccounts(context.http, workspaceId, accounts.slice(at, at + AT_ONCE), {});
    const made = outcomes.flatMap((outcome) => (outcome.ok ? [{ ...outcome.account }] : []));
    failed.push(...outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error])));
    const untried = Math.max(0, names.length - at - AT_ONCE);
    const undone = countUndone(failed, untried, names.length, 'connected');
    const tried = untried === 0 ? '.' : `: the last ${untried} were not tried.`;
    context.out.undone = untried + failed.length === 0 ? null : `${undone}${tried}`;
    context.out.rows(made, COLUMNS);
    if (!(await context.out.written)) return;
  }
  throwFirst(failed, names.length, 'connected');
}

async function deleteMany(context: Context, ids: string[]): Promise<void> {
  const outcomes = await deleteAccounts(context.http, ids, {});
  for (const { ok, id } of outcomes) if (ok) context.out.note(`${id} is deleted.`);
  const failed = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
  throwFirst(failed, ids.length, 'deleted');
}

function throwFirst(failed: SwitchboardError[], count: number, what: string): void {
  const [first] = failed;
  if (first === undefined) return;
  const isInDoubt = what === 'connected' && failed.some(mayBeRecorded);
  const where = isInDoubt ? ': look at `switchboard list messenger-accounts` before you repeat it' : '';
  process.stderr.write(`${countUndone(failed, 0, count, what)}${where}. The first, because:\n`);
  throw withoutKey(first);
}

// The command takes no key, so none is to be named.
function withoutKey(error: SwitchboardError): SwitchboardError {
  error.idempotencyKey = undefined;
  return error;
}

function countUndone(failed: SwitchboardError[], untried: number, count: number, what: string): string {
  const are = failed.some(mayBeRecorded) ? 'may not be' : 'are not';
  return `${failed.length + untried} of ${count} accounts ${are} ${what}`;
}
