/** The figures from which the number of workers is computed. */
export interface Demand {
  /** Workers that run and are not draining. */
  workers: number;
  /** The sum of their busy shares: how many fully busy workers would do the same work. */
  busy: number;
  /**
   * Calls that arrive per second. Scheduled calls count when they come due. Refused calls count too, unless their organization's own share
   * was used up.
   */
  arrivalRate: number;
  /** Calls that the workers finish per second, including async calls. */
  doneRate: number;
  /** Calls that wait for their turn. */
  waiting: number;
  /** Calls of the slow lane that run or wait, and how many of those a worker runs at once. */
  slow: number;
  slowPerWorker: number;
}

// With a higher utilization, a small change in arrivals makes a queue grow quickly.
const UTILIZATION = 0.7;

// A wrong first estimate must not start a hundred workers.
const GROWTH_MAX = 2;

/**
 * How many workers keep the oldest wait below `targetMs`; at least one. By the utilization law, a call takes S = busy / doneRate of a
 * worker's time, so arrivals need arrivalRate × S workers. By Little's law, arrivalRate × target / 2 calls may wait; calls beyond that have
 * to be done within the target in addition. Each worker is to be busy 70 % of the time. The slow lane, whose calls only wait, needs as many
 * workers as have room for its calls, at the same utilization. Other work, such as waiting async calls, keeps the present workers, but does
 * not ask for more. The result is at most twice the present number.
 */
export function desiredWorkers(demand: Demand, targetMs: number): number {
  const { workers, busy, arrivalRate, doneRate, waiting, slow, slowPerWorker } = demand;
  const target = targetMs / 1_000;
  const kept = Math.min(workers, Math.ceil(busy / UTILIZATION));
  const needed = Math.max(1, kept, Math.ceil(slow / (slowPerWorker * UTILIZATION)));
  const max = Math.max(1, GROWTH_MAX * workers);
  // It is not known yet how long a call takes.
  if (doneRate < 1) return Math.min(max, Math.max(needed, waiting > 0 ? workers + 1 : 1));
  const timeOfCall = busy / doneRate;
  const surplus = Math.max(0, waiting - (arrivalRate * target) / 2);
  const load = arrivalRate * timeOfCall + (surplus * timeOfCall) / target;
  return Math.min(max, Math.max(needed, Math.ceil(load / UTILIZATION)));
}
