import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Logger } from '../../logger.ts';
import { StartError } from '../../run-process.ts';
import type { Stack } from '../stack.ts';
import { recordApiProcess } from './api-process.ts';
import { stopGraceMs } from './child-environment.ts';
import { followScaling, type ScalingFigures } from './follow-scaling.ts';
import { countApis, countWorkers, metricsPort } from './process-counts.ts';
import { superviseApis } from './supervise-apis.ts';
import { superviseChild } from './supervise-child.ts';
import { WorkerPool } from './worker-pool.ts';

const WORKER_MODULE = join(import.meta.dirname, '../../../workers/main.js');
const READY_MS = 60_000;

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
  const sayCrash = (name: string, how: object) =>
    log.warn({ process: name, ...how }, 'process ended; starting it again');
  const graceMs = stopGraceMs(config);
  const counts = countWorkers(config.SWITCHBOARD_WORKERS);
  const workers = new WorkerPool({
    graceMs,
    start: (number) =>
      superviseChild({
        module: WORKER_MODULE,
        env: { ...env, ...metricsPort(config, number) },
        mayPrint,
        onCrash: (how) => sayCrash(`worker ${number}`, how),
      }),
  });
  while (workers.count < counts.min) workers.add();
  stack.add(workers);
  const apis = superviseApis({
    count: countApis(config.SWITCHBOARD_API_PROCESSES ?? 'auto'),
    env,
    graceMs,
    mayPrint,
    onSpawn(pid) {
      try {
        recordApiProcess(config.SWITCHBOARD_DATA_DIR, pid);
      } catch (err) {
        // As on a full disk. Only a start after this process was killed needs the record.
        log.warn({ err }, 'the API process could not be recorded in the data folder');
      }
    },
    onCrash: (name, how) => {
      isApiUp = false;
      sayCrash(name, how);
    },
  });
  stack.add(apis);

  return {
    /** Starts to forward the processes' output, from its beginning. */
    showLogs: () => showLogs(),
    /** Resolves once the API is ready for requests. Throws if it ended; its output says why. */
    async untilReady(origin: string, signal: AbortSignal) {
      // Nothing is asked of another program that has taken the port meanwhile.
      for (
        const startedAt = performance.now();
        !(apis.isListening && (await isReady(origin)));
        await sleep(25)
      ) {
        signal.throwIfAborted();
        if (!isApiUp) throw new StartError('The API could not start.');
        if (performance.now() - startedAt > READY_MS)
          throw new StartError(`The API at ${origin} does not become ready.`);
      }
    },
    /** Lets the number of workers follow the load, where the settings leave it open. */
    followLoad(read: () => Promise<ScalingFigures | null>) {
      if (counts.min === counts.max) return;
      const following = followScaling({
        read: async () => (apis.isListening ? await read() : null),
        counts,
        workers,
        log,
      });
      stack.add({ close: () => following.stop() });
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
