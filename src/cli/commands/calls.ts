import { type Command, Option } from 'commander';
import type { CallRecord } from '../../client/records.ts';
import { LISTS } from '../setup/columns.ts';
import { action, ask, type Context, needAccount, needWorkspace, order } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { ALL, LIMIT, showList } from '../setup/paged.ts';
import { recordPath } from '../setup/record-path.ts';
import { timeAgo } from '../setup/times.ts';
import { waitForEnd } from '../setup/wait-for-end.ts';

const PATH = '/v1/calls';
const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'expired'];
const COUNTS = ['found', 'replayed', 'skipped', 'paused'] as const;
const ENDS = ['failed', 'canceled', 'expired'];
const ACCOUNT_NOTE = '\nWith --account on the command line, only calls of that account.\n';

interface Replayed {
  found: number;
  replayed: number;
  skipped: number;
  paused: number;
  next: string | null;
}

/** `switchboard calls`: the async calls. */
export function addCallsCommand(program: Command): void {
  const isGiven = (option: string) => program.getOptionValueSource(option) === 'cli';
  const isForAccount = () => isGiven('account');
  const calls = program
    .command('calls')
    .summary('list async calls, or show one')
    .description('Lists async calls, or shows one.')
    .hook('preSubcommand', refuseFilters)
    .argument('[id]', 'the call to show')
    .option('--failed', 'only those that failed')
    .addOption(
      new Option('--status <status>', 'only those of this status').choices(STATUSES).conflicts('failed'),
    )
    .option(
      '--since <time>',
      'only those of that time or later: when they ended, with --failed; such as 5m or 2027-01-01T12:00:00Z',
    )
    .option('--method <name>', 'only those of this method')
    .option('--wait', 'with an id: wait for its end, as long as --timeout says')
    .addOption(LIMIT)
    .addOption(ALL)
    .addHelpText(
      'after',
      `${ACCOUNT_NOTE}${examples(
        'calls --failed --since 5m',
        'calls call_… --wait',
        'calls cancel call_…',
        'calls replay call_…',
        'calls replay --status expired',
      )}`,
    )
    .action(
      action((context, id: string | undefined) =>
        id === undefined ? showCalls(context, isForAccount(), isGiven('workspace')) : showCall(context, id),
      ),
    );
  calls
    .command('cancel')
    .description('Cancels a call that has not ended: it has not taken effect and never will.')
    .argument('<id>', 'its id')
    .action(
      action(async (context, id: string) =>
        context.out.record(await order<object>(context, 'DELETE', recordPath(PATH, id))),
      ),
    );
  calls
    .command('replay')
    .description(
      'Makes a call that ended without a result once more, or all of the workspace that failed. Idempotent.',
    )
    .argument('[id]', 'the call; without it, all')
    .addOption(
      new Option('--status <status>', 'without an id: those that ended so').choices(ENDS).default('failed'),
    )
    .option('--after <cursor>', 'without an id: go on where an earlier run has ended')
    .addHelpText(
      'after',
      `${ACCOUNT_NOTE}${examples('calls replay call_…', 'calls replay --workspace ws_…', 'calls replay --account acc_…')}`,
    )
    .action(
      action(async (context, id: string | undefined) => {
        if (id === undefined) return replayAll(context, isForAccount());
        context.out.record(await repeat<object>(context, `${recordPath(PATH, id)}/replay`));
      }),
    );
}

// Commander lets a command have the options of the one above it, but a filter of the list would not narrow down what is replayed.
function refuseFilters(calls: Command, command: Command): void {
  const names = command.options.map(({ long }) => long);
  const given = calls.options.find(
    (option) => calls.getOptionValueSource(option.attributeName()) === 'cli' && !names.includes(option.long),
  );
  if (given === undefined) return;
  calls.error(`error: ${given.long} is for the list: \`calls ${command.name()}\` has no such option`);
}

async function showCalls(context: Context, isForAccount: boolean, isForWorkspace: boolean): Promise<void> {
  const { settings, options } = context;
  const { since } = options;
  const status = options.failed === true ? 'failed' : options.status;
  const filter = {
    ...(isForAccount && settings.account !== undefined && { messengerAccountId: settings.account }),
    // The workspace of a profile may be another one than that of the account.
    ...((isForWorkspace || !isForAccount) &&
      settings.workspace !== undefined && { workspaceId: settings.workspace }),
    ...(typeof status === 'string' && { status }),
    ...(typeof options.method === 'string' && { method: options.method }),
    ...(typeof since === 'string' && {
      [status === 'failed' ? 'finishedAfter' : 'createdAfter']: timeAgo(since),
    }),
  };
  await showList(context, PATH, filter, LISTS.calls ?? []);
}

async function showCall(context: Context, id: string): Promise<void> {
  const isAwaited = context.options.wait === true;
  context.out.record(
    await (isAwaited ? waitForEnd(context, id) : ask<CallRecord>(context, recordPath(PATH, id))),
  );
}

async function replayAll(context: Context, isForAccount: boolean): Promise<void> {
  const { options, out } = context;
  const { status } = options;
  const account = isForAccount ? await needAccount(context) : null;
  const workspaceId = account?.workspaceId ?? needWorkspace(context);
  const filter = { workspaceId, status, ...(account !== null && { messengerAccountId: account.accountId }) };
  const sum = { found: 0, replayed: 0, skipped: 0, paused: 0 };
  let startingAfter = options.after;
  try {
    do {
      const page: Replayed = await repeat(context, `${PATH}/replay`, { ...filter, startingAfter });
      for (const name of COUNTS) sum[name] += page[name] ?? 0;
      startingAfter = page.next ?? undefined;
    } while (startingAfter !== undefined);
  } catch (error) {
    out.record({ ...sum, next: startingAfter ?? null });
    const where = `--workspace ${workspaceId}${account === null ? '' : ` --account ${account.accountId}`}`;
    const after = startingAfter === undefined ? '' : ` --after ${startingAfter}`;
    out.note(`To go on: switchboard calls replay ${where} --status ${status}${after}`);
    throw error;
  }
  out.record(sum);
}

/** Sends an idempotent request. */
async function repeat<Body>({ http }: Context, path: string, body?: object): Promise<Body> {
  return (await http.request<Body>({ method: 'POST', path, body }, {})).body;
}
