import type { Command } from 'commander';
import { LISTS } from '../setup/columns.ts';
import { action, ask, type Context } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { ALL, LIMIT, showList } from '../setup/paged.ts';
import { visible, visibleJson } from '../terminal/visible.ts';

type Schema = {
  type?: string;
  description?: string;
  $ref?: string;
  items?: Schema;
  [member: string]: unknown;
};

interface Method {
  name: string;
  purpose: string;
  executed: boolean;
  drivers: string[];
  paramsSchema: Schema & { properties?: Record<string, Schema>; required?: string[] };
  resultTypes: string[];
  sandboxDifference?: string | null;
  errors: { code: string; status: number; detail?: string }[];
  example: { params: object } | null;
}

/** `switchboard methods`: finds methods, and describes one in full. */
export function addMethodsCommand(program: Command): void {
  program
    .command('methods')
    .summary('find methods, or tell all of one')
    .description(
      'Finds methods by words of their names and purposes, or tells all of one: params, errors and an example.',
    )
    .argument('[name]', 'a method, such as messages.sendMessage')
    .option('-s, --search <words>', 'only methods with each of these words, the best first')
    .option('--executed', 'only those that workers execute')
    .addOption(LIMIT)
    .addOption(ALL)
    .addHelpText(
      'after',
      examples('methods --search "send message"', 'methods messages.sendMessage', 'methods --executed --all'),
    )
    .action(
      action(async (context, name: string | undefined) => {
        const { search, executed } = context.options;
        if (name !== undefined) return showMethod(context, name);
        const filter = {
          ...(typeof search === 'string' && { search }),
          ...(executed === true && { executed: 'true' }),
        };
        await showList(context, '/v1/methods', filter, LISTS.methods ?? []);
      }),
    );
}

async function showMethod(context: Context, name: string): Promise<void> {
  const { out, settings } = context;
  const query =
    settings.account === undefined ? '' : `?${new URLSearchParams({ messengerAccountId: settings.account })}`;
  const method = await ask<Method>(context, `/v1/methods/${encodeURIComponent(name)}${query}`);
  if (out.isJson) return out.json(method);
  const { properties = {}, required = [] } = method.paramsSchema;
  const title = (text: string) => out.line(`\n${out.style('bold', text)}`);
  const say = (text: string) => out.line(visible(text));
  out.line(out.style('bold', visible(method.name)));
  say(method.purpose);
  if (method.sandboxDifference) say(`In the sandbox: ${method.sandboxDifference}`);
  say(method.executed ? `Executed by ${method.drivers.join(', ')}.` : 'No worker executes it.');
  title('Params');
  for (const [param, schema] of Object.entries(properties))
    if (param !== '_')
      say(`  ${param}  ${typeOf(schema)}${required.includes(param) ? '  required' : ''}${describe(schema)}`);
  title('Result');
  say(`  ${method.resultTypes.join(', ')}`);
  title('Errors');
  for (const { code, status, detail } of method.errors)
    say(`  ${status} ${code}${detail ? `  ${detail}` : ''}`);
  if (method.example === null) return;
  title('Example');
  say(`  switchboard call ${method.name} '${visibleJson(method.example.params).replaceAll("'", "'\\''")}'`);
}

function typeOf({ type, $ref, items }: Schema): string {
  if (items !== undefined) return `list of ${typeOf(items)}`;
  return $ref?.split(/[/.]/).at(-1)?.replace(/^Type/, '') ?? type ?? 'object';
}

function describe({ description }: Schema): string {
  return description === undefined ? '' : `  ${description.replaceAll('\n', ' ')}`;
}
