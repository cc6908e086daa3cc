import type { Command } from 'commander';
import { LISTS } from '../setup/columns.ts';
import { action } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { oneOf } from '../setup/explain-mistakes.ts';
import { ALL, LIMIT, showList } from '../setup/paged.ts';
import { timeAgo } from '../setup/times.ts';
import { UsageError } from '../terminal/failures.ts';

/** `switchboard list`: any list of the API. */
export function addListCommand(program: Command): void {
  program
    .command('list')
    .summary('list what there is')
    .description(
      'Lists what there is, the newest first. Filters are those of the API, such as status=failed, createdAfter=5m or sort=createdAt.',
    )
    .addArgument(oneOf('<collection>', 'what to list', Object.keys(LISTS)))
    .argument('[filters...]', 'name=value')
    .addOption(LIMIT)
    .addOption(ALL)
    .addHelpText(
      'after',
      examples(
        'list messenger-accounts workspaceId=ws_…',
        'list calls status=failed finishedAfter=5m',
        'list deliveries webhookId=wh_… status=failed',
        'list organizations --all --json',
      ),
    )
    .action(
      action(async (context, collection: string, words: string[]) => {
        const { webhookId, ...filter } = Object.fromEntries(words.map(readFilter));
        const isOfWebhook = collection === 'deliveries';
        if (isOfWebhook && webhookId === undefined) throw new UsageError('Name the webhook: webhookId=wh_….');
        const path = isOfWebhook
          ? `/v1/webhooks/${encodeURIComponent(webhookId ?? '')}/deliveries`
          : `/v1/${collection}`;
        await showList(context, path, filter, LISTS[collection] ?? []);
      }),
    );
}

function readFilter(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw new UsageError(`${word} is no filter: write name=value, such as status=failed.`);
  const [name, value] = [word.slice(0, at), word.slice(at + 1)];
  return [name, /(After|Before)$/.test(name) ? timeAgo(value) : value];
}
