import { type Command, Option } from 'commander';
import { LISTS } from '../setup/columns.ts';
import { action, createRecord, needWorkspace, order } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { ALL, LIMIT, showList } from '../setup/paged.ts';
import { addDeleteCommand, recordPath } from '../setup/record-path.ts';
import { timeAgo } from '../setup/times.ts';
import { UsageError } from '../terminal/failures.ts';

const PATH = '/v1/webhooks';
const STATUSES = ['queued', 'succeeded', 'failed'];

/** `switchboard webhooks`: webhooks and their deliveries. */
export function addWebhooksCommand(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .summary('list, create and test webhooks, and send deliveries again')
    .description('Lists, creates and tests webhooks, and sends deliveries again.')
    .addHelpText(
      'after',
      examples(
        'webhooks create https://example.com/hook',
        'webhooks ping wh_…',
        'webhooks deliveries wh_… --status failed',
      ),
    );
  webhooks
    .command('list', { isDefault: true })
    .description('Lists the webhooks of the workspace, or without one all that the key may see.')
    .addOption(LIMIT)
    .addOption(ALL)
    .action(
      action(async (context) => {
        const { workspace } = context.settings;
        await showList(
          context,
          PATH,
          workspace === undefined ? {} : { workspaceId: workspace },
          LISTS.webhooks ?? [],
        );
      }),
    );
  webhooks
    .command('create')
    .description(
      'Has the updates of the workspace sent to an address. The secret that signs them is shown this once.',
    )
    .argument('<address>', 'where to, such as https://example.com/hook')
    .option('--kind <kinds...>', 'only updates of these kinds')
    .option('--description <text>', 'for people')
    .action(
      action(async (context, url: string) => {
        const { kind, description } = context.options as { kind?: string[]; description?: string };
        const kinds = kind?.flatMap((names) => names.split(','));
        const body = { workspaceId: needWorkspace(context), url, kinds, description };
        context.out.record(await createRecord(context, PATH, body));
        context.out.note('Keep the secret: it is shown this once.');
      }),
    );
  webhooks
    .command('ping')
    .description('Sends a ping, also to a webhook that is disabled.')
    .argument('<id>', 'the webhook')
    .action(
      action(async (context, id: string) => {
        context.out.record(await order<object>(context, 'POST', `${recordPath(PATH, id)}/ping`));
        context.out.note(`How it went: switchboard webhooks deliveries ${id}`);
      }),
    );
  webhooks
    .command('deliveries')
    .description('Lists what was and is sent to a webhook.')
    .argument('<id>', 'the webhook')
    .addOption(new Option('--status <status>', 'only those of this status').choices(STATUSES))
    .addOption(LIMIT)
    .addOption(ALL)
    .action(
      action(async (context, id: string) => {
        const { status } = context.options;
        const filter = typeof status === 'string' ? { status } : {};
        await showList(context, `${recordPath(PATH, id)}/deliveries`, filter, LISTS.deliveries ?? []);
      }),
    );
  webhooks
    .command('replay')
    .description('Sends a delivery again (the request resend), or all that failed since a time (recover).')
    .argument('<id>', 'the webhook')
    .argument('[delivery]', 'the delivery')
    .option('--since <time>', 'all that failed since then, such as 5m or 2027-01-01T12:00:00Z')
    .addHelpText(
      'after',
      examples('webhooks replay wh_… dlv_…', 'webhooks replay wh_… --since 2027-01-01T12:00:00Z'),
    )
    .action(
      action(async (context, id: string, delivery: string | undefined) => {
        const { since } = context.options;
        if ((delivery === undefined) === (since === undefined))
          throw new UsageError('Name a delivery, or give --since.');
        const answer =
          delivery === undefined
            ? await order<object>(context, 'POST', `${recordPath(PATH, id)}/recover`, {
                since: timeAgo(String(since)),
              })
            : await order<object>(
                context,
                'POST',
                `${recordPath(PATH, id)}/deliveries/${encodeURIComponent(delivery)}/resend`,
              );
        context.out.record(answer);
      }),
    );
  addDeleteCommand(webhooks, PATH, {
    description: 'Deletes a webhook and its deliveries.',
    what: 'the webhook',
  });
}
