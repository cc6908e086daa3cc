import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../run-process.ts';
import { findApiProcess } from './processes/api-process.ts';
import type { Stack } from './stack.ts';
import { LockedError, takeLock } from './take-lock.mjs';
import { untilPortFree } from './until-port-free.ts';

const STOPPING = 'stopping';

interface Options {
  dataDir: string;
  host: string;
  port: number;
  /** Told to whoever wants the same folder. */
  origin: string;
  stack: Stack;
  signal: AbortSignal;
}

/**
 * Makes sure that no other Switchboard runs on the data folder and that the port can be had; waits for one that is just ending.
 * Throws the sentence that says which one is in the way.
 */
export async function claimDataDir({ dataDir, host, port, origin, stack, signal }: Options): Promise<void> {
  const lock = await waitForLock(dataDir, origin, signal);
  stack.add({ close: async () => lock.release() });
  signal.addEventListener('abort', () => lock.annotate(STOPPING));
  await untilPortFree(host, port, findApiProcess(dataDir));
}

async function waitForLock(dataDir: string, origin: string, signal: AbortSignal) {
  for (let hasSaidSo = false; ; await sleep(50)) {
    signal.throwIfAborted();
    try {
      return takeLock(join(dataDir, 'lock'), origin);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      const { pid, note } = error.holder;
      if (note !== STOPPING) {
        throw new StartError(`Switchboard already runs on ${dataDir}, at ${note} (process ${pid}).`);
      }
      if (!hasSaidSo) process.stderr.write(`Waiting for process ${pid}, which is stopping…\n`);
      hasSaidSo = true;
    }
  }
}
