import { Argument, type Command } from 'commander';
import { readList } from '../../client/lists.ts';
import { LISTS } from '../setup/columns.ts';
import { action, ask, type Context, order, remove } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { ALL, LIMIT, showList } from '../setup/paged.ts';
import { readParams } from '../setup/params.ts';
import { recordPath } from '../setup/record-path.ts';
import { UsageError } from '../terminal/failures.ts';

const KINDS = ['workspace', 'account', 'method', 'lane'];
const NEEDS = '\nIt takes a key with the scope operate.';

const kind = () => new Argument('<kind>', 'what it is').choices(KINDS);
const pathOf = (what: string, id: string) => recordPath(`/v1/pauses/${what}`, id);

/** `switchboard pause`, `resume`, `drain`, `settings`, `audit`: control at run time. */
export function addControlCommands(program: Command): void {
  program
    .command('pause')
    .summary('have calls wait, or refuse them')
    .description('Pauses a workspace, an account, a method or a lane: its calls wait until it is resumed.')
    .addArgument(kind())
    .argument('<id>', 'of a workspace or account its id, of a method or lane its name')
    .option('--refuse', 'refuse calls instead of having them wait')
    .option('--reason <text>', 'for people; callers who are refused read it')
    .addHelpText(
      'after',
      `${NEEDS}\n${examples('pause workspace ws_… --refuse --reason "it is being moved"', 'pause lane async', 'list pauses')}`,
    )
    .action(
      action(async (context, what: string, id: string) => {
        const { refuse, reason } = context.options;
        const body = { mode: refuse === true ? 'refuse' : 'wait', reason: reason ?? null };
        context.out.record(await order<object>(context, 'PUT', pathOf(what, id), body));
      }),
    );
  program
    .command('resume')
    .summary('end a pause')
    .description('Ends a pause: the calls that wait go on.')
    .addArgument(kind())
    .argument('<id>', 'as it was paused')
    .addHelpText('after', NEEDS)
    .action(
      action(async (context, what: string, id: string) => {
        const wasPaused = await isPaused(context, what, id);
        await remove(context, pathOf(what, id));
        context.out.note(
          wasPaused
            ? `The calls of the ${what} ${id} are no longer paused.`
            : `The ${what} ${id} was not paused: \`switchboard list pauses\` shows what is.`,
        );
      }),
    );
  program
    .command('drain')
    .summary('end a worker once it has finished what it runs')
    .description('Has a worker take nothing new, finish what it runs, and end.')
    .argument('<worker>', 'its id')
    .addHelpText('after', `${NEEDS}\n${examples('list workers', 'drain worker-…')}`)
    .action(
      action(async (context, id: string) =>
        context.out.record(await order<object>(context, 'POST', `${recordPath('/v1/workers', id)}/drain`)),
      ),
    );
  program
    .command('settings')
    .summary('show or change what holds for all processes')
    .description(
      'Shows the settings that are changed at run time, or changes some. null gives each process its own value back.',
    )
    .argument('[settings...]', 'name=value')
    .addHelpText(
      'after',
      `${NEEDS}\n${examples('settings', 'settings logLevel=debug', 'settings logLevel=null')}`,
    )
    .action(
      action(async (context, words: string[]) => {
        const path = '/v1/settings';
        const bare = words.find((word) => /^\w+$/.test(word));
        if (bare !== undefined)
          throw new UsageError(
            `${bare} has no value: write ${bare}=value, or no name at all to see every setting.`,
          );
        const { params } = await readParams(words);
        context.out.record(
          words.length === 0
            ? await ask<object>(context, path)
            : await order<object>(context, 'PATCH', path, params),
        );
      }),
    );
  program
    .command('audit')
    .summary('list who has changed what')
    .description('Lists who has paused, drained, set or changed what, the newest first.')
    .option('--by <key>', 'only what this API key has changed; root for the root key')
    .option('--action <name>', 'only this action, such as pause')
    .option('--target <id>', 'only changes of what has this id')
    .addOption(LIMIT)
    .addOption(ALL)
    .addHelpText('after', NEEDS)
    .action(
      action(async (context) => {
        const given = (['by', 'action', 'target'] as const).filter((name) => context.options[name]);
        const filter = Object.fromEntries(given.map((name) => [name, String(context.options[name])]));
        await showList(context, '/v1/audit', filter, LISTS.audit ?? []);
      }),
    );
}

async function isPaused({ http }: Context, kind: string, id: string): Promise<boolean> {
  for await (const { target } of readList<{ target: { kind: string; id: string } }>(
    http,
    '/v1/pauses',
    {},
    {},
  ))
    if (target.kind === kind && target.id === id) return true;
  return false;
}
