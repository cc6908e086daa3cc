import { hostname } from 'node:os';
import { every, type Repeated } from '../../every.ts';
import type { Logger } from '../../logger.ts';
import type { WorkerCounts } from './process-counts.ts';
import { WorkerTarget } from './worker-target.ts';

const LOOK_MS = 1_000;

/** What is needed here of `GET /v1/scaling`. */
export interface ScalingFigures {
  desiredWorkers: number;
  arrivalRate: number;
  busyShare: number;
  oldestWaitMs: number;
  workerList: { host: string; pid: number; state: string }[];
}

interface Options {
  read: () => Promise<ScalingFigures | null>;
  counts: WorkerCounts;
  workers: { readonly count: number; readonly pids: number[]; add(): number; drain(): number };
  log: Logger;
}

/** Starts and drains workers of this machine as the load asks for, until it is stopped, and says each change in the log. */
export function followScaling({ read, counts, workers, log }: Options): Repeated {
  const target = new WorkerTarget(counts);
  const follow = async (signal: AbortSignal) => {
    const figures = await read();
    if (figures === null || signal.aborted) return;
    // Those of other machines do their part.
    const others = countOthers(figures, workers.pids);
    const wanted = figures.desiredWorkers - others;
    const next = target.next(wanted, workers.count, performance.now(), others);
    const { arrivalRate, busyShare, oldestWaitMs, desiredWorkers } = figures;
    const reason = { desiredWorkers, arrivalRate, busyShare, oldestWaitMs };
    while (workers.count < next) {
      const worker = workers.add();
      log.info({ workers: workers.count, ...reason }, `worker ${worker} starts: the load asks for more`);
    }
    while (workers.count > next) {
      const worker = workers.drain();
      log.info({ workers: workers.count, ...reason }, `worker ${worker} drains: the load needs fewer`);
    }
  };
  return every(LOOK_MS, follow, {
    onFailure: (err) => log.warn({ err }, 'the load is not known; the workers stay as many as they are'),
  });
}

function countOthers({ workerList }: ScalingFigures, own: number[]): number {
  const here = hostname();
  const isOwn = (host: string, pid: number) => host === here && own.includes(pid);
  return workerList.filter(({ state, host, pid }) => state === 'running' && !isOwn(host, pid)).length;
}
