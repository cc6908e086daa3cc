/** The calls of one workspace in an API process. */
export interface Holding {
  workspaceId: string;
  weight: number;
  /** How many of its calls wait or are outstanding. */
  demand: number;
}

/** What an API process publishes to the others. */
export interface Holdings {
  held: Holding[];
  /** The total weight of the workspaces that are not listed. */
  restWeight: number;
}

/** Each workspace's share of the window in one API process. */
export interface Division {
  /** The total weight of the workspaces in other processes. */
  foreignWeight: number;
  /** By workspace: how many other processes hold its calls, and how many permits are lent to it here beyond its share. */
  grants: Map<string, { others: number; lent: number }>;
}

/**
 * How many calls of all API processes together may be outstanding. More would not raise the throughput, and would make a quiet workspace
 * wait.
 */
export const WINDOW = 384;

const WINDOW_MIN = 16;

// One that runs, and one that is there when it ends.
const CALLS_PER_WORKER = 2;

// How long an outstanding call may take until its answer.
const OUTSTANDING_MS = 150;

/**
 * The window for the answer rates of the API processes, in calls a second; null for a process that has got no answers yet. By Little's law,
 * this many calls are outstanding if each takes `OUTSTANDING_MS`. With more, slow calls would wait in workers, where their turn is already
 * decided and where no other worker can take them. It has a permit for each of the active `workspaces`: each has one at least, and in a
 * smaller window all would have the same, whatever their weights. It has enough for all `workers`, however slow the calls are.
 */
export function windowFor(
  answerRates: readonly (number | null)[],
  { workspaces, workers }: { workspaces: number; workers: number },
): number {
  let perSecond = 0;
  for (const rate of answerRates) perSecond += rate ?? Number.POSITIVE_INFINITY;
  const outstanding = Math.round((perSecond * OUTSTANDING_MS) / 1_000);
  return Math.min(WINDOW, Math.max(WINDOW_MIN, workspaces, workers * CALLS_PER_WORKER, outstanding));
}

/** How many workspaces have calls. Those that are not listed count by their weight, which is at least 1. */
export function countWorkspaces(all: readonly Holdings[]): number {
  const listed = new Set(all.flatMap(({ held }) => held.map(({ workspaceId }) => workspaceId)));
  return all.reduce((sum, { restWeight }) => sum + restWeight, listed.size);
}

interface Party {
  weight: number;
  demands: number[];
}

// With several active workspaces, lending fills at most this part of the window: a workspace that returns to a window full of another's
// calls has to wait for them.
const LENT_UP_TO = 0.5;

/**
 * Divides the window among all active workspaces by weight, and each share among the processes that hold the workspace's calls. What one
 * process does not need of a workspace's share goes to the other processes that hold it. What a workspace does not need is lent to those
 * that need more, by weight.
 */
export function divideWindow(window: number, own: Holdings, others: Holdings[]): Division {
  const parties = toParties([own, ...others]);
  const restWeight = [own, ...others].reduce((sum, holdings) => sum + holdings.restWeight, 0);
  let weight = restWeight;
  for (const party of parties.values()) weight += party.weight;
  let used = (window * restWeight) / weight;
  let hungry = 0;
  for (const party of parties.values()) {
    const share = (window * party.weight) / weight;
    const demand = party.demands.reduce((sum, one) => sum + one, 0);
    used += Math.min(share, demand);
    if (demand > share) hungry += party.weight;
  }
  const pool = parties.size > 1 ? Math.max(0, window * LENT_UP_TO - used) : 0;
  const grants: Division['grants'] = new Map();
  let ownWeight = own.restWeight;
  for (const { workspaceId, demand } of own.held) {
    const party = parties.get(workspaceId) as Party;
    const share = (window * party.weight) / weight;
    const total = party.demands.reduce((sum, one) => sum + one, 0);
    const lent = total > share ? (pool * party.weight) / hungry : 0;
    grants.set(workspaceId, {
      others: party.demands.length - 1,
      lent: lentHere(share, lent, demand, party.demands),
    });
    ownWeight += party.weight / party.demands.length;
  }
  return { foreignWeight: Math.max(0, weight - ownWeight), grants };
}

function toParties(all: Holdings[]): Map<string, Party> {
  const parties = new Map<string, Party>();
  for (const { held } of all) {
    for (const { workspaceId, weight, demand } of held) {
      const party = parties.get(workspaceId);
      if (party === undefined) parties.set(workspaceId, { weight, demands: [demand] });
      else {
        party.weight = Math.max(party.weight, weight);
        party.demands.push(demand);
      }
    }
  }
  return parties;
}

// A process that needs less than its part of a share leaves the rest to the other processes.
function lentHere(share: number, lent: number, demand: number, demands: number[]): number {
  const part = share / demands.length;
  if (demand <= part) return 0;
  const hungry = demands.filter((one) => one > part).length;
  const unused = demands.reduce((sum, one) => sum + Math.max(0, part - one), 0);
  return (unused + lent) / hungry;
}
