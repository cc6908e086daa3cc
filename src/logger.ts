import { Writable } from 'node:stream';
import { type DestinationStream, type LogFn, type Logger as PinoLogger, pino } from 'pino';
import type { Config } from './config.ts';

export type Logger = PinoLogger;

const SECRETS = ['authorization', 'key', 'secret', 'params', 'body', 'password', 'redisUrl'];

// For errors within errors, such as those of each node of a cluster, or of each attempt.
const DEPTH_MAX = 3;

// Redis' message for an unknown command repeats its arguments.
const ECHOED_ARGUMENTS = /, with args beginning with:.*/g;

// What could not be written, as on a full disk, is kept until it can be, up to this size. Later lines are left out.
const UNWRITTEN_CHARS_MAX = 1024 * 1024;

let isMuted: (error: unknown) => boolean = () => false;

/**
 * The process's logger: JSON lines on standard output, unless another destination is given. Secrets and params are redacted everywhere,
 * also in errors of Redis, which contain the whole refused command.
 */
export function openLogger(
  config: Pick<Config, 'LOG_LEVEL'>,
  part: string,
  destination: DestinationStream = standardOutput(),
): Logger {
  const options = {
    level: config.LOG_LEVEL,
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => describeError(error, 0) },
    hooks: {
      logMethod(this: PinoLogger, args: Parameters<LogFn>, method: LogFn) {
        if (!isMuted((args[0] as { err?: unknown } | undefined)?.err)) method.apply(this, args);
      },
    },
    redact: {
      paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)],
      censor: '[redacted]',
    },
  };
  return pino(options, destination);
}

/** Whether logs are for people: as `LOG_FORMAT` says, or if standard output is a terminal and this is no production. */
export function isPretty({ LOG_FORMAT: format }: Pick<Config, 'LOG_FORMAT'>): boolean {
  if (format !== 'auto') return format === 'pretty';
  return process.stdout.isTTY === true && process.env.NODE_ENV !== 'production';
}

/** Where the log goes: JSON lines, or lines for people. */
export async function openLogStream(config: Pick<Config, 'LOG_FORMAT'>): Promise<DestinationStream> {
  if (!isPretty(config)) return standardOutput();
  const { default: pretty } = await import('pino-pretty');
  const output = standardOutput();
  return pretty({
    colorize: hasColours(),
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,part',
    messageFormat: '[{part}] {msg}',
    // Not the output itself: its first failure would end this stream.
    destination: new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        output.write(text);
        done();
      },
    }),
  });
}

/** Whether lines for people have colours. A child of `npm start` writes to a pipe and is told by `FORCE_COLOR`. */
export function hasColours(
  { NO_COLOR: none, FORCE_COLOR: forced }: NodeJS.ProcessEnv = process.env,
): boolean {
  return !none && (process.stdout.isTTY === true || (forced !== undefined && forced !== '0'));
}

/** Leaves out the lines about errors that `test` finds said already. */
export function muteErrors(test: (error: unknown) => boolean): void {
  isMuted = test;
}

/** Removes the arguments of refused commands from an error of Redis, and from the errors within it: they are what callers have sent. */
export function hideArguments(error: unknown, depth = 0): void {
  if (!(error instanceof Error) || depth > DEPTH_MAX) return;
  for (const name of ['message', 'stack'] as const) {
    const text = error[name];
    const shown = text === undefined ? text : clean(text);
    // Errors of the platform, as of a timeout, have members that cannot be set.
    if (shown !== text) Object.defineProperty(error, name, { value: shown, configurable: true });
  }
  const members = error as Error & { command?: { name?: unknown } };
  if (members.command != null) members.command = { name: members.command.name };
  const within = [error.cause, error instanceof AggregateError ? error.errors : [], Object.values(error)];
  for (const other of within.flat(2)) hideArguments(other, depth + 1);
}

// Synchronous: with buffered lines, a process whose reader is gone would never end (on EPIPE sonic-boom's flushSync retries for ever).
function standardOutput(): DestinationStream {
  const output = pino.destination({ sync: true, maxLength: UNWRITTEN_CHARS_MAX });
  // Without a listener, a full disk or the end of the terminal would end the process.
  output.on('error', () => undefined);
  return output;
}

/** Only an error's plain members and nested errors: other members may contain what a caller sent. */
function describeError(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? 'not an error' : error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const described: Record<string, unknown> = { type, message: clean(message), stack: clean(stack) };
  for (const [name, value] of Object.entries(error)) {
    if (name === 'command') described.command = (value as { name?: unknown } | null)?.name;
    else if (isPlain(value)) described[name] = typeof value === 'string' ? clean(value) : value;
    // The stack already contains the cause.
    else if (value instanceof Error && name !== 'cause' && depth < DEPTH_MAX)
      described[name] = describeError(value, depth + 1);
  }
  if (error instanceof AggregateError && depth < DEPTH_MAX)
    described.errors = error.errors.map((each) => describeError(each, depth + 1));
  return described;
}

function isPlain(value: unknown): boolean {
  return value === null || !['object', 'function'].includes(typeof value);
}

function clean(text: string): string {
  return text.replace(ECHOED_ARGUMENTS, '');
}
