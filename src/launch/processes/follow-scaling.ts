import { availableParallelism, hostname } from 'node:os';
import { every, type Repeated } from '../../every.ts';
import type { Logger } from '../../logger.ts';
import type { WorkerCounts } from './process-counts.ts';
import { StartingWorkers } from './starting-workers.ts';
import { WorkerTarget } from './worker-target.ts';

const LOOK_MS = 1_000;

// A worker that starts keeps a core busy for a second. More at once would start later, and slow down those that run.
const STARTING_MAX = Math.max(1, Math.floor(availableParallelism() / 2));

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
  const starting = new StartingWorkers();
  const follow = async (signal: AbortSignal) => {
    const figures = await read();
    if (figures === null || signal.aborted) return;
    // Those of other machines do their part.
    const others = countOthers(figures, workers.pids);
    const wanted = figures.desiredWorkers - others;
    const now = performance.now();
    const next = target.next(wanted, workers.count, now, others);
    const mayStart = STARTING_MAX - starting.count(workers.pids, ownPids(figures), now);
    const most = Math.max(workers.count, Math.min(next, workers.count + mayStart));
    const { arrivalRate, busyShare, oldestWaitMs, desiredWorkers } = figures;
    const reason = { desiredWorkers, arrivalRate, busyShare, oldestWaitMs };
    while (workers.count < most) {
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

function countOthers(figures: ScalingFigures, own: number[]): number {
  const here = hostname();
  const isOwn = (host: string, pid: number) => host === here && own.includes(pid);
  return runningOf(figures).filter(({ host, pid }) => !isOwn(host, pid)).length;
}

function ownPids(figures: ScalingFigures): number[] {
  const here = hostname();
  return runningOf(figures).flatMap(({ host, pid }) => (host === here ? [pid] : []));
}

function runningOf({ workerList }: ScalingFigures): ScalingFigures['workerList'] {
  return workerList.filter(({ state }) => state === 'running');
}
