import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { findEnd, findGap, followUpdates, updatesPath } from '../../client/updates/follow-updates.ts';
import type { StreamItem } from '../../client/updates/stream-types.ts';
import { action, type Context, needAccount, needWorkspace, numberOf } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { UsageError } from '../terminal/failures.ts';
import { visibleLine } from '../terminal/visible.ts';

const BEGINNING = '-1';
const ITEMS_MAX = 1_000_000_000;

interface UpdatesOptions {
  follow?: boolean;
  kind?: string[];
  from?: string;
  limit?: string;
  resume?: string;
}

/** `switchboard updates`: reads the update stream of a workspace. */
export function addUpdatesCommand(program: Command): void {
  program
    .command('updates')
    .summary('show updates as they come')
    .description(
      'Shows the updates of a workspace: those there are, or with --follow those to come. A cut connection is resumed.',
    )
    .option('-f, --follow', 'go on as updates come, until Ctrl-C')
    .option('--kind <kinds...>', 'only of these kinds, such as RawUpdateNewMessage')
    .option('--from <offset>', 'after this offset; `beginning`, or `now`, the default with --follow')
    .option('--limit <count>', 'end after so many')
    .addOption(
      new Option('--resume <file>', 'go on after the offset in this file, and keep it up to date').conflicts(
        'from',
      ),
    )
    .addHelpText(
      'after',
      `\nWith --account on the command line, only updates of that account.\n${examples(
        'updates --follow',
        'updates --follow --kind RawUpdateNewMessage --from beginning',
        'updates --follow --json --resume offset.txt | my-program',
        'updates --limit 20 --account acc_…',
      )}`,
    )
    .action(
      action((context) => showUpdates(context, context.options, program.getOptionValueSource('account'))),
    );
}

async function showUpdates(
  context: Context,
  options: UpdatesOptions,
  accountFrom: string | undefined,
): Promise<void> {
  const { settings, out } = context;
  const limit = options.limit === undefined ? ITEMS_MAX : numberOf('--limit', options.limit, ITEMS_MAX);
  // What no item comes of is passed, too: else it is read again each time, and what is kept overtakes a reader of rare updates.
  const wanted = {
    onOffset: (passed: string) => keepOffset(options.resume, passed),
    kinds: options.kind?.flatMap((names) => names.split(',')),
    accountIds: accountFrom === 'cli' && settings.account !== undefined ? [settings.account] : undefined,
  };
  const workspaceId =
    wanted.accountIds === undefined ? needWorkspace(context) : (await needAccount(context)).workspaceId;
  const offset = await findStart(context, options, workspaceId);
  const items = options.follow
    ? followUpdates(context.http, workspaceId, { offset, ...wanted } as object)
    : readPages(context, workspaceId, { offset, ...wanted });
  let shown = 0;
  for await (const item of items) {
    showItem(out, item);
    // An update that the reader of the output did not get is not kept as seen: the next run shows it again.
    if (!(await out.written)) return;
    keepOffset(options.resume, 'offset' in item ? item.offset : item.to);
    shown += 1;
    if (shown === limit) return;
  }
}

/** The offset to start from. */
async function findStart(
  { http }: Context,
  { resume, from, follow }: UpdatesOptions,
  workspaceId: string,
): Promise<string> {
  const kept = resume === undefined ? null : openKept(resume);
  const start = kept || from || (follow ? 'now' : BEGINNING);
  if (start === 'beginning') return BEGINNING;
  if (start !== 'now' || resume === undefined) return start;
  const end = await findEnd(http, workspaceId, {});
  // Kept now: even if this run shows nothing, the next one goes on from here.
  keepOffset(resume, end);
  return end;
}

/** The offset in the file of --resume, or an empty text if there is none yet. Throws a `UsageError` if none can be kept there. */
function openKept(file: string): string {
  try {
    const descriptor = openSync(file, 'a+');
    try {
      // A device may have no end.
      if (!fstatSync(descriptor).isFile()) throw new Error('it is no regular file');
      return readFileSync(descriptor, 'utf8').trim();
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--resume cannot keep the offset in ${file}: ${code ?? message}.`);
  }
}

// Overwrites before it truncates, so that a run that is killed in between leaves an offset and no empty file.
function keepOffset(file: string | undefined, offset: string): void {
  if (file === undefined) return;
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT);
  try {
    const length = writeSync(descriptor, `${offset}\n`);
    ftruncateSync(descriptor, length);
  } finally {
    closeSync(descriptor);
  }
}

async function* readPages(
  { http }: Context,
  workspaceId: string,
  wanted: {
    offset: string;
    kinds: string[] | undefined;
    accountIds: string[] | undefined;
    onOffset: (passed: string) => void;
  },
): AsyncGenerator<StreamItem> {
  let { offset } = wanted;
  for (;;) {
    const path = updatesPath(workspaceId, { offset }, wanted);
    const page = await http
      .request<StreamItem[]>({ method: 'GET', path }, {})
      .catch((error) => findGap(error, http, workspaceId, offset, {}));
    if ('kind' in page) {
      yield page;
      offset = page.to;
      continue;
    }
    const { headers, body } = page;
    yield* body;
    const next = headers.get('stream-next-offset');
    if (next !== null) wanted.onOffset(next);
    if (headers.get('stream-up-to-date') === 'true') return;
    offset = next ?? '';
  }
}

function showItem(out: Context['out'], item: StreamItem): void {
  if (out.isJson) {
    out.json(item);
    return;
  }
  if (item.kind === 'stream.gap') {
    out.note(`Updates after ${item.from} and up to ${item.to} are not kept any more.`);
    return;
  }
  const who = item.messengerAccountId ?? item.userId ?? '-';
  const parts = [out.style('dim', item.timestamp), item.offset, out.style('cyan', item.kind), who];
  out.line([...parts, visibleLine(JSON.stringify(item.update))].join(out.isTerminal ? '  ' : '\t'));
}
