import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { ApiError, NoAnswerError } from '../../client/errors.ts';
import { action, type Context, numberOf } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { type Fleet, readFleet } from '../setup/fleet.ts';
import { type Load, loadBetween, readSample } from '../setup/load.ts';
import { fleetLines, fleetSummary } from '../terminal/fleet-lines.ts';
import { visible } from '../terminal/visible.ts';

const HOUR_SECONDS = 3_600;
const TIMES_MAX = 1_000_000_000;
const CLEAR = '\u001b[H\u001b[2J';

/** `switchboard top`: the load of an API process, and the state of all processes. */
export function addTopCommand(program: Command): void {
  program
    .command('top')
    .summary('show live what there is to do')
    .description(
      'Shows live what an API process has to do (calls under way and waiting, throughput, times) and how all workers stand. Ctrl-C ends it.',
    )
    .option('--interval <seconds>', 'how often', '2')
    .option('--count <times>', 'end after so many')
    .addHelpText(
      'after',
      `\nIt takes a key with the scope metrics:read, for the workers also operate. Behind a load balancer, each answer may be of another process: give the address of one.\n${examples('top', 'top --interval 10 --count 6 --json')}`,
    )
    .action(action((context) => watch(context)));
}

async function watch(context: Context): Promise<void> {
  const { options, out } = context;
  const seconds = numberOf('--interval', options.interval, HOUR_SECONDS);
  const times = options.count === undefined ? TIMES_MAX : numberOf('--count', options.count, TIMES_MAX);
  const isLive = out.isTerminal && !out.isJson;
  let before = await readSample(context);
  if (!isLive && !out.isJson) {
    const titles = { ...loadBetween(null, before), ...fleetSummary(null) };
    out.line(Object.keys(titles).join('\t'));
  }
  for (let count = 0; count < times; count += 1) {
    await sleep(seconds * 1_000);
    const read = await readAll(context).catch((error) => {
      if (!isPassing(error) || count === times - 1) throw error;
      showFailure(context, isLive, error);
      return null;
    });
    if (read === null) continue;
    const { sample, fleet } = read;
    const load = loadBetween(before, sample);
    before = sample;
    if (isLive) showLive(context, load, fleet);
    else if (out.isJson) out.json({ at: new Date().toISOString(), ...load, fleet });
    else out.line(Object.values({ ...load, ...fleetSummary(fleet) }).join('\t'));
  }
}

async function readAll(context: Context) {
  return { sample: await readSample(context), fleet: await readFleet(context.http.target) };
}

/** Whether a failure may pass: an API process or Redis is away, or the key is at its rate limit. People run `top` to watch just that. */
function isPassing(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return error instanceof NoAnswerError;
}

function showFailure({ out, settings }: Context, isLive: boolean, { message }: Error): void {
  const text = `${message.replace(/\.?$/, '.')} Trying again.`;
  if (isLive) out.line(`${CLEAR}${headOf(out, settings)}\n\n${out.style('red', visible(text))}`);
  else out.note(text);
}

function headOf(out: Context['out'], settings: Context['settings']): string {
  return out.style('bold', `${settings.url}  ${new Date().toLocaleTimeString()}`);
}

function showLive({ out, settings }: Context, load: Load, fleet: Fleet | null): void {
  const {
    workers,
    inFlight,
    waiting,
    oldestWaitMs,
    perSecond,
    failedPerSecond,
    meanMs,
    window,
    refusedPerSecond,
    memoryMiB,
  } = load;
  const lines = [
    headOf(out, settings),
    '',
    `workers       ${out.style(workers === 'ok' ? 'green' : 'red', workers)}`,
    `calls         ${inFlight} under way, ${waiting} waiting here, the oldest for ${oldestWaitMs} ms`,
    `window        ${window}`,
    `throughput    ${perSecond} calls/s, ${failedPerSecond} without a result, ${refusedPerSecond} refused`,
    `mean time     ${meanMs} ms`,
    `memory        ${memoryMiB} MiB of this API process`,
    ...(fleet === null ? [] : fleetLines(fleet)),
  ];
  out.line(`${CLEAR}${lines.join('\n')}`);
}
