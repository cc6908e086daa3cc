import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { Config } from './config.ts';

export type Logger = PinoLogger;

const SECRETS = ['authorization', 'key', 'secret', 'params', 'body', 'password', 'redisUrl'];

// Errors within errors: what failed on each node of a cluster, or at each attempt.
const DEPTH_MAX = 3;

// Redis repeats the arguments of a command that it does not know.
const ECHOED_ARGUMENTS = /, with args beginning with:.*/g;

/**
 * The process's logger: JSON lines on standard output, with secrets and call params redacted wherever they stand, also in errors of
 * Redis, which carry the whole command that was refused.
 */
export function openLogger(
  config: Pick<Config, 'LOG_LEVEL'>,
  part: string,
  // Written at once: lines still on their way keep a process whose reader is gone from ever ending (sonic-boom's flushSync tries
  // again for ever on EPIPE).
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

/** Of an error's members only those that are plain values, and the errors it holds: any other may hold what a caller sent. */
function describeError(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? 'not an error' : error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const described: Record<string, unknown> = { type, message: clean(message), stack: clean(stack) };
  for (const [name, value] of Object.entries(error)) {
    if (name === 'command') described.command = (value as { name?: unknown } | null)?.name;
    else if (isPlain(value)) described[name] = typeof value === 'string' ? clean(value) : value;
    // The message and the stack tell of the cause already.
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
