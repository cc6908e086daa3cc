import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainListenError } from '../listen-error.ts';
import { CLOSING_MS, StartError } from '../run-process.ts';
import { isRunning } from './process-identity.mjs';

const PATIENCE_MS = 5_000;

// A killed process is gone a moment before the last of its threads, which still holds the port.
const LET_GO_MS = 500;

/**
 * Resolves once the port is free; throws a `StartError` that says why it cannot be used. If an API process of an earlier start
 * (`leftover`) still holds the port, waits for its end, and kills it after five seconds.
 */
export async function untilPortFree(host: string, port: number, leftover: string | null): Promise<void> {
  const startedAt = performance.now();
  for (let seenAt = leftover === null ? Number.NEGATIVE_INFINITY : startedAt; ; await sleep(50)) {
    // Checked before the port: the process may end, and so free the port, in between.
    const isLeftoverRunning = leftover !== null && isRunning(leftover);
    if (isLeftoverRunning) seenAt = performance.now();
    const code = await tryToListen(host, port);
    if (code === null) return;
    if (code !== 'EADDRINUSE' || performance.now() - seenAt >= LET_GO_MS)
      throw new StartError(explainListenError(code, { setting: 'PORT', host, port }));
    if (isLeftoverRunning && performance.now() - startedAt > PATIENCE_MS)
      process.kill(Number.parseInt(leftover, 10), 'SIGKILL');
  }
}

/** Null if it is possible, otherwise the code of the error. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}

/**
 * Resolves once a worker can serve its metrics on the port. Waits for a worker of an earlier start, as long as that may take to stop with
 * this grace period, and says so; throws a `StartError` then.
 */
export async function untilMetricsPortFree(
  host: string,
  port: number,
  { graceMs, signal }: { graceMs: number; signal: AbortSignal },
): Promise<void> {
  const startedAt = performance.now();
  for (let hasSaidSo = false; ; await sleep(50)) {
    signal.throwIfAborted();
    const code = await tryToListen(host, port);
    if (code === null) return;
    if (code !== 'EADDRINUSE' || performance.now() - startedAt >= graceMs + CLOSING_MS)
      throw new StartError(explainListenError(code, { setting: 'WORKER_METRICS_PORT', host, port }));
    if (!hasSaidSo)
      process.stderr.write(`Waiting for port ${port}, which a worker that is stopping may still have…\n`);
    hasSaidSo = true;
  }
}
