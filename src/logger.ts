import { type Logger as PinoLogger, pino } from 'pino';
import type { Config } from './config.ts';

export type Logger = PinoLogger;

const SECRETS = ['authorization', 'key', 'secret', 'params', 'body', 'password', 'redisUrl'];

/** The process's logger: JSON lines on standard output, with secrets and call params redacted wherever they stand. */
export function openLogger(config: Pick<Config, 'LOG_LEVEL'>, part: string): Logger {
  const options = {
    level: config.LOG_LEVEL,
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)],
      censor: '[redacted]',
    },
  };
  // Written at once: lines still on their way keep a process whose reader is gone from ever ending (sonic-boom's flushSync tries
  // again for ever on EPIPE).
  return pino(options, pino.destination({ sync: true }));
}
