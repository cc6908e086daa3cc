import { type Command, Option } from 'commander';
import type { CallRecord } from '../../client/records.ts';
import { LISTS } from '../setup/columns.ts';
import { action, ask, type Context, needWorkspace, order } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { ALL, LIMIT, showList, timeAgo } from '../setup/paged.ts';

const PATH = '/v1/calls';
const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'expired'];
const ENDS = ['failed', 'canceled', 'expired'];
const WAIT_SECONDS = 30;

interface Replayed {
  found: number;
  replayed: number;
  skipped: number;
  next: string | null;
}

/** `switchboard calls`: the async calls. */
export function addCallsCommand(program: Command): void {
  const calls = program
    .command('calls')
    .summary('list async calls, or show one')
    .description('Lists async calls, or shows one.')
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
    .option('--wait', 'with an id: wait for its end')
    .addOption(LIMIT)
    .addOption(ALL)
    .addHelpText(
      'after',
      examples(
        'calls --failed --since 5m',
        'calls call_… --wait',
        'calls cancel call_…',
        'calls replay call_…',
        'calls replay --status expired',
      ),
    )
    .action(
      action((context, id: string | undefined) =>
        id === undefined ? showCalls(context) : showCall(context, id),
      ),
    );
  calls
    .command('cancel')
    .description('Cancels a call that has not ended: it has not taken effect and never will.')
    .argument('<id>', 'its id')
    .action(
      action(async (context, id: string) =>
        context.out.record(await order<object>(context, 'DELETE', pathOf(id))),
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
    .addHelpText('after', examples('calls replay call_…', 'calls replay --workspace ws_…'))
    .action(
      action(async (context, id: string | undefined) => {
        if (id === undefined) return replayAll(context);
        context.out.record(await order<object>(context, 'POST', `${pathOf(id)}/replay`));
      }),
    );
}

async function showCalls(context: Context): Promise<void> {
  const { settings, options } = context;
  const { since } = options;
  const status = options.failed === true ? 'failed' : options.status;
  const filter = {
    ...(settings.workspace !== undefined && { workspaceId: settings.workspace }),
    ...(typeof status === 'string' && { status }),
    ...(typeof options.method === 'string' && { method: options.method }),
    ...(typeof since === 'string' && {
      [status === 'failed' ? 'finishedAfter' : 'createdAfter']: timeAgo(since),
    }),
  };
  await showList(context, PATH, filter, LISTS.calls ?? []);
}

async function showCall(context: Context, id: string): Promise<void> {
  const query = context.options.wait === true ? `?wait=${WAIT_SECONDS}` : '';
  for (;;) {
    const call = await ask<CallRecord>(context, `${pathOf(id)}${query}`);
    const isOpen = call.status === 'queued' || call.status === 'running';
    if (query === '' || !isOpen) return context.out.record(call);
  }
}

async function replayAll(context: Context): Promise<void> {
  const body = { workspaceId: needWorkspace(context), status: context.options.status };
  const sum = { found: 0, replayed: 0, skipped: 0 };
  for (let startingAfter: string | null = null; ; ) {
    const page: Replayed = await order(context, 'POST', `${PATH}/replay`, {
      ...body,
      ...(startingAfter !== null && { startingAfter }),
    });
    for (const name of ['found', 'replayed', 'skipped'] as const) sum[name] += page[name];
    startingAfter = page.next;
    if (startingAfter === null) break;
  }
  context.out.record(sum);
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
