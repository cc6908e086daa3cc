import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Logger } from '../../logger.ts';
import { StartError } from '../../run-process.ts';
import type { Stack } from '../stack.ts';
import { noteApiProcess } from './api-process.ts';
import { type SupervisedChild, superviseChild } from './supervise-child.ts';

const COMPILED = join(import.meta.dirname, '../../..');
const READY_MS = 60_000;
// Longer than the processes' own limit for stopping.
const EXTRA_GRACE_MS = 15_000;

interface Options {
  config: Config;
  env: NodeJS.ProcessEnv;
  log: Logger;
  stack: Stack;
}

/** Starts the workers and the API as child processes. The API is stopped first, while workers still answer its calls. */
export function startProcesses({ config, env, log, stack }: Options) {
  let showLogs = () => {};
  const mayPrint = new Promise<void>((resolve) => {
    showLogs = resolve;
  });
  let isApiUp = true;
  const supervise = (
    part: string,
    module: string,
    settings: NodeJS.ProcessEnv,
    onSpawn?: (pid: number) => void,
  ) =>
    superviseChild({
      module: join(COMPILED, module),
      env: { ...env, ...settings },
      mayPrint,
      ...(onSpawn && { onSpawn }),
      onCrash: (how) => {
        if (part === 'api') isApiUp = false;
        log.warn({ process: part, ...how }, 'process ended; starting it again');
      },
    });
  const workers = Array.from({ length: config.SWITCHBOARD_WORKERS }, (_, index) =>
    supervise(`worker ${index + 1}`, 'workers/main.js', metricsPort(config, index)),
  );
  stack.add(together(workers, config.SHUTDOWN_GRACE_MS + EXTRA_GRACE_MS));
  const api = supervise('api', 'src/api/main.js', {}, (pid) =>
    noteApiProcess(config.SWITCHBOARD_DATA_DIR, pid),
  );
  stack.add(together([api], config.SHUTDOWN_GRACE_MS + EXTRA_GRACE_MS));

  return {
    /** Starts to forward the processes' output, from its beginning. */
    showLogs: () => showLogs(),
    /** Resolves once the API is ready for requests. Throws if it ended; its output says why. */
    async untilReady(origin: string, signal: AbortSignal) {
      for (const startedAt = Date.now(); !(await isReady(origin)); await sleep(25)) {
        signal.throwIfAborted();
        if (!isApiUp) throw new StartError('The API could not start.');
        if (Date.now() - startedAt > READY_MS)
          throw new StartError(`The API at ${origin} does not become ready.`);
      }
    },
  };
}

/** Each worker's metrics need a port of their own. */
function metricsPort({ WORKER_METRICS_PORT: first }: Config, index: number): NodeJS.ProcessEnv {
  return first ? { WORKER_METRICS_PORT: String(first + index) } : {};
}

function together(children: SupervisedChild[], graceMs: number) {
  return {
    close: async () => void (await Promise.all(children.map((child) => child.stop(graceMs)))),
    kill: () => {
      for (const child of children) child.kill();
    },
  };
}

async function isReady(origin: string): Promise<boolean> {
  return await fetch(`${origin}/readyz`, {
    signal: AbortSignal.timeout(2_000),
  }).then(
    (response) => response.ok,
    () => false,
  );
}
