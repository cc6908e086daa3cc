import { type Logger as PinoLogger, pino } from 'pino';
import type { Config } from './config.ts';

export type Logger = PinoLogger;

const SECRETS = ['authorization', 'key', 'secret', 'params', 'body', 'password', 'redisUrl'];

/** The process's logger: JSON lines on standard output, with secrets and call params redacted wherever they stand. */
export function openLogger(config: Pick<Config, 'LOG_LEVEL'>, part: string): Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)], censor: '[redacted]' },
  });
}
