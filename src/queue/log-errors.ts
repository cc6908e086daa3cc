import type { Worker } from 'bullmq';
import type { Logger } from '../logger.ts';

const PERIOD_MS = 10_000;
const ERRORS_MAX = 20;

/**
 * Logs the errors of a BullMQ worker: in ten seconds each message once, and at most twenty in all. While Redis refuses writes, a
 * worker fails ten times a second; if the cause is a full disk, the log may be on that disk.
 */
export function logErrors(
  worker: Pick<Worker, 'on'>,
  log: Logger,
  facts: Record<string, unknown>,
  message: string,
): void {
  const logged = new Set<string>();
  let since = Number.NEGATIVE_INFINITY;
  worker.on('error', (err) => {
    const now = performance.now();
    if (now - since >= PERIOD_MS) {
      since = now;
      logged.clear();
    }
    if (logged.size >= ERRORS_MAX || logged.has(err.message)) return;
    logged.add(err.message);
    log.warn({ ...facts, err }, message);
  });
}
