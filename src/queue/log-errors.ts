import type { Worker } from 'bullmq';
import type { Logger } from '../logger.ts';

const OFTEN_MS = 10_000;
const ERRORS_MAX = 20;

/**
 * Logs the errors of a BullMQ worker: each once in ten seconds, and at most twenty. While Redis refuses writes, a worker fails ten times a
 * second, and the disk for its log may be the one that is full.
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
    if (now - since >= OFTEN_MS) {
      since = now;
      logged.clear();
    }
    if (logged.size >= ERRORS_MAX || logged.has(err.message)) return;
    logged.add(err.message);
    log.warn({ ...facts, err }, message);
  });
}
