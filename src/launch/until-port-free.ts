import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../run-process.ts';
import { isRunning } from './process-identity.mjs';

const PATIENCE_MS = 5_000;

// A killed process is gone a moment before the last of its threads, which still holds the port.
const LET_GO_MS = 500;

/**
 * Resolves once the port is free; throws a `StartError` that says why it cannot be used. If an API process of an earlier start
 * (`leftover`) still holds the port, waits for its end, and kills it after five seconds.
 */
export async function untilPortFree(host: string, port: number, leftover: string | null): Promise<void> {
  const startedAt = Date.now();
  for (let seenAt = leftover === null ? 0 : startedAt; ; await sleep(50)) {
    // Checked before the port: the process may end, and so free the port, in between.
    const isLeftoverRunning = leftover !== null && isRunning(leftover);
    if (isLeftoverRunning) seenAt = Date.now();
    const code = await tryToListen(host, port);
    if (code === null) return;
    if (code !== 'EADDRINUSE' || Date.now() - seenAt >= LET_GO_MS)
      throw new StartError(explain(code, host, port));
    if (isLeftoverRunning && Date.now() - startedAt > PATIENCE_MS)
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

/** Why a port cannot be used, in a sentence. */
export function explain(code: string, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use; set PORT to another one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user; set PORT to one above 1023.`;
  return `Switchboard cannot listen on HOST ${host}: ${code}.`;
}
