/** What the number of workers is worked out from. */
export interface Demand {
  /** Workers that are there and not draining. */
  workers: number;
  /** How many of them would be busy all the time with what is being done: the sum of their busy shares. */
  busy: number;
  /** Calls that come in a second, scheduled ones when their time has come; refused ones too, unless for their organization's own share. */
  arrivalRate: number;
  /** Calls that the workers get done in a second, async ones too. */
  doneRate: number;
  /** Calls that wait for their turn. */
  waiting: number;
  /** Calls of the slow lane that run or wait, and how many of those a worker runs at once. */
  slow: number;
  slowPerWorker: number;
}

// Beyond that a queue grows quickly with small changes of what comes.
const UTILIZATION = 0.7;

// A first guess must not become a hundred workers.
const GROWTH_MAX = 2;

/**
 * How many workers keep the oldest wait below `targetMs`, at least one. By the utilization law a call takes S = busy / doneRate of a
 * worker's time. What comes needs arrivalRate × S workers. By Little's law arrivalRate × target / 2 calls may wait; what waits beyond
 * that has to be done within the target in addition. Each worker is to be busy 70 % of the time. The slow lane, whose calls only wait,
 * needs as many workers as have room for its calls, by the same share. What keeps workers busy beside that, as async calls that
 * were waiting, keeps those that are there, and does not ask for more. The answer is at most twice as many as there are.
 */
export function desiredWorkers(demand: Demand, targetMs: number): number {
  const { workers, busy, arrivalRate, doneRate, waiting, slow, slowPerWorker } = demand;
  const target = targetMs / 1_000;
  const kept = Math.min(workers, Math.ceil(busy / UTILIZATION));
  const needed = Math.max(1, kept, Math.ceil(slow / (slowPerWorker * UTILIZATION)));
  const most = Math.max(1, GROWTH_MAX * workers);
  // Nobody knows yet how long a call takes.
  if (doneRate < 1) return Math.min(most, Math.max(needed, waiting > 0 ? workers + 1 : 1));
  const timeOfCall = busy / doneRate;
  const surplus = Math.max(0, waiting - (arrivalRate * target) / 2);
  const load = arrivalRate * timeOfCall + (surplus * timeOfCall) / target;
  return Math.min(most, Math.max(needed, Math.ceil(load / UTILIZATION)));
}
