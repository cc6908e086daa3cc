import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { type Config, ConfigError, findUnknownSettings, readConfig } from './config.ts';
import { guardEventLoop } from './guard-event-loop.ts';
import { hideArguments, type Logger, openLogger, openLogStream } from './logger.ts';
import { placeCatalogue } from './problem.ts';

/** A reason not to start that the operator can fix. The message is one sentence. */
export class StartError extends Error {
  override name = 'StartError';
}

// V8 would allocate the arrays of Redis' replies in its old generation once most of them were kept for a while, as they are at the start.
// All that they refer to would then survive minor collections.
const YOUNG_ARRAYS = '--no-allocation-site-pretenuring';

/** After the grace period, for last questions to the ledger and the last answers. */
export const CLOSING_MS = 10_000;

/** Signals within this time are one request: npm passes on the Ctrl-C that the terminal has sent to the process too. */
export const ONE_REQUEST_MS = 500;

/** A started part of Switchboard. */
export interface RunningProcess {
  /** Finishes or hands back calls in progress, and closes everything. */
  close(): Promise<void>;
}

/**
 * Runs one process of Switchboard until SIGTERM, SIGINT, SIGHUP or the loss of its supervisor. One that shares its port leaves SIGINT and
 * SIGHUP to that. A later signal ends it at once, unless it has a supervisor. What is started may stop it by itself; a signal that comes
 * then is the first.
 * A `StartError` or `ConfigError` is printed to standard error, with exit code 1.
 */
export async function runProcess(
  part: string,
  start: (config: Config, log: Logger, stop: (reason: string) => void) => Promise<RunningProcess>,
): Promise<void> {
  setFlagsFromString(YOUNG_ARRAYS);
  // Node prints an error that ends the process with all its members.
  process.on('uncaughtExceptionMonitor', (error) => hideArguments(error));
  let stop: (reason: string) => void = () => undefined;
  const stopped = new Promise<string>((resolve) => {
    stop = resolve;
  });
  onSignal(stop);
  let running: RunningProcess;
  let log: Logger;
  try {
    const config = readConfig();
    if (config.PUBLIC_URL !== undefined) placeCatalogue(config.PUBLIC_URL);
    log = openLogger(config, part, await openLogStream(config));
    for (const sentence of findUnknownSettings()) log.warn(sentence);
    void stopped.then((reason) => exitInTime(reason, config, log));
    running = await start(config, log, stop);
    if (config.EVENT_LOOP_STALL_MAX_MS > 0) guardEventLoop(config.EVENT_LOOP_STALL_MAX_MS, part);
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  await stopped;
  await running.close();
  log.info('stopped');
  process.exit(0);
}

// While Redis is away, starting or closing may never end, and a process without a supervisor is killed by nobody.
function exitInTime(reason: string, config: Config, log: Logger): void {
  log.info({ reason }, 'stopping');
  setTimeout(() => {
    log.warn('not everything could be closed in time');
    process.exit(1);
  }, config.SHUTDOWN_GRACE_MS + CLOSING_MS).unref();
}

function onSignal(stop: (reason: string) => void): void {
  let askedAt: number | null = null;
  const ask = (reason: string) => {
    const isInsisting = askedAt !== null && performance.now() - askedAt >= ONE_REQUEST_MS;
    // A supervisor asks, too, when a whole service is told to end, as systemd does it. It insists by a SIGKILL.
    if (isInsisting && reason !== 'lost supervisor' && !process.connected) process.exit(1);
    askedAt ??= performance.now();
    stop(reason);
  };
  process.on('SIGTERM', () => ask('SIGTERM'));
  // Ctrl-C and the end of a terminal.
  const ofTerminal = ['SIGINT', 'SIGHUP'] as const;
  if (cluster.worker) {
    // They reach it as well as its supervisor, which stops it in the right order.
    for (const signal of ofTerminal) process.on(signal, () => undefined);
    // Otherwise Node ends it at once when the supervisor is gone, whatever is under way.
    cluster.worker.exitedAfterDisconnect = true;
  } else for (const signal of ofTerminal) process.on(signal, () => ask(signal));
  if (process.send === undefined) return;
  if (process.connected) process.on('disconnect', () => ask('lost supervisor'));
  // The supervisor was gone before this module had been loaded.
  else ask('lost supervisor');
}
