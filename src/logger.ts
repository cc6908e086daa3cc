import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { Config } from './config.ts';

export type Logger = PinoLogger;

const SECRETS = ['authorization', 'key', 'secret', 'params', 'body', 'password', 'redisUrl'];

// For errors within errors, such as those of each node of a cluster, or of each attempt.
const DEPTH_MAX = 3;

// Redis' message for an unknown command repeats its arguments.
const ECHOED_ARGUMENTS = /, with args beginning with:.*/g;

/**
 * The process's logger: JSON lines on standard output. Secrets and params are redacted everywhere, also in errors of Redis, which contain
 * the whole refused command.
 */
export function openLogger(
  config: Pick<Config, 'LOG_LEVEL'>,
  part: string,
  // Synchronous: with buffered lines, a process whose reader is gone would never end (on EPIPE sonic-boom's flushSync retries for ever).
  destination: DestinationStream = pino.destination({ sync: true }),
): Logger {
  const options = {
    level: config.LOG_LEVEL,
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => describeError(error, 0) },
    redact: {
      paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)],
      censor: '[redacted]',
    },
  };
  return pino(options, destination);
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
