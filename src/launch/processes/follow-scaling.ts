import { availableParallelism, hostname } from 'node:os';
import { every, type Repeated } from '../../every.ts';
import type { Logger } from '../../logger.ts';
import type { WorkerCounts } from './process-counts.ts';
import { StartingWorkers } from './starting-workers.ts';
import { WorkerTarget } from './worker-target.ts';

const HOST = hostname();
const POLL_MS = 1_000;

// A worker keeps a core busy for a second while it starts. More at once would all be ready later, and would slow down those that run.
const STARTING_MAX = Math.max(1, Math.floor(availableParallelism() / 2));

/** The part of `GET /v1/scaling` that is used here. */
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

/** Starts and drains workers of this machine according to the load, until it is stopped, and logs each change. */
export function followScaling({ read, counts, workers, log }: Options): Repeated {
  const target = new WorkerTarget(counts);
  const starting = new StartingWorkers();
  const follow = async (signal: AbortSignal) => {
    const figures = await read();
    if (figures === null || signal.aborted) return;
    const { pids } = workers;
    const running = figures.workerList.filter(({ state }) => state === 'running');
    const ownRunning = running
      .filter(({ host, pid }) => host === HOST && pids.includes(pid))
      .map(({ pid }) => pid);
    const others = running.length - ownRunning.length;
    const now = performance.now();
    const next = target.next(figures.desiredWorkers - others, workers.count, now, others);
    const mayStart = STARTING_MAX - starting.count(pids, ownRunning, now);
    const allowed = Math.min(next, workers.count + mayStart);
    const { arrivalRate, busyShare, oldestWaitMs, desiredWorkers } = figures;
    const reason = { desiredWorkers, arrivalRate, busyShare, oldestWaitMs };
    while (workers.count < allowed) {
      const worker = workers.add();
      log.info({ workers: workers.count, ...reason }, `worker ${worker} starts: the load asks for more`);
    }
    while (workers.count > next) {
      const worker = workers.drain();
      log.info({ workers: workers.count, ...reason }, `worker ${worker} drains: the load needs fewer`);
    }
  };
  return every(POLL_MS, follow, {
    onFailure: (err) => log.warn({ err }, 'the load is unknown, so the number of workers stays as it is'),
  });
}
