import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logger.ts';
import { StartError } from '../../run-process.ts';
import { findApiProcess } from '../processes/api-process.ts';
import type { Stack } from '../stack.ts';
import { LockedError, takeLock } from '../take-lock.mjs';
import { untilPortFree } from '../until-port-free.ts';

const STOPPING = 'stopping';

interface Options {
  dataDir: string;
  host: string;
  port: number;
  /** Written to the lock, for the error message of a second start. */
  origin: string;
  log: Logger;
  stack: Stack;
  signal: AbortSignal;
}

/**
 * Locks the data folder and checks that the port is free. Waits for a Switchboard on this folder that is just stopping. Throws a
 * `StartError` if another one runs or the port is in use.
 */
export async function claimDataDir(options: Options): Promise<void> {
  const { dataDir, host, port, origin, log, stack, signal } = options;
  const lock = await waitForLock(dataDir, origin, signal);
  stack.add({ close: async () => lock.release() });
  signal.addEventListener('abort', () => {
    try {
      lock.annotate(STOPPING);
    } catch (err) {
      // As on a full disk. A start that comes meanwhile is refused instead of waiting.
      log.warn({ err }, 'the data folder could not be marked as stopping');
    }
  });
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
        throw new StartError(
          `Switchboard already runs on ${dataDir}, at ${note} (process ${pid}): stop it, or set SWITCHBOARD_DATA_DIR and PORT for another one.`,
        );
      }
      if (!hasSaidSo) process.stderr.write(`Waiting for process ${pid}, which is stopping…\n`);
      hasSaidSo = true;
    }
  }
}
