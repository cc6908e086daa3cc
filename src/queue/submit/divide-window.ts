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

// With a smaller one, workers that are short of processor time would get jobs of one or two calls, answer still fewer and get a still
// smaller window.
const WINDOW_MIN = 40;

// One that runs, and one that is there when it ends.
const CALLS_PER_WORKER = 2;

// How long an outstanding call may take until its answer.
const OUTSTANDING_MS = 150;

// As `OUTSTANDING_MS`, while some workspaces need far less than their share: their calls wait behind those that are outstanding. To go
// below `WINDOW_BESIDE_LIGHT` for it would cost throughput.
const OUTSTANDING_BESIDE_LIGHT_MS = 25;
const WINDOW_BESIDE_LIGHT = 224;

/** What the window depends on, besides the rate of answers. */
interface WindowNeeds {
  workers: number;
  /** How many workspaces have calls. */
  workspaces: number;
  /** Whether some of them need far less than their share, and others more. */
  hasLight: boolean;
}

/**
 * The window for the answer rates of the API processes, in calls a second; null for a process that has got no answers yet. By Little's law,
 * this many calls are outstanding if each takes `OUTSTANDING_MS`. With more, slow calls would wait in workers, where their turn is already
 * decided and where no other worker can take them. It has a permit for each of the active `workspaces`: each has one at least, and in a
 * smaller window all would have the same, whatever their weights. It has enough for all `workers`, however slow the calls are. With
 * `hasLight` fewer are outstanding, however fast calls are answered.
 */
export function windowFor(
  answerRates: readonly (number | null)[],
  { workers, workspaces, hasLight }: WindowNeeds,
): number {
  let perSecond = 0;
  for (const rate of answerRates) perSecond += rate ?? Number.POSITIVE_INFINITY;
  const within = (ms: number) => Math.round((perSecond * ms) / 1_000);
  const most = hasLight ? Math.max(WINDOW_BESIDE_LIGHT, within(OUTSTANDING_BESIDE_LIGHT_MS)) : WINDOW;
  const outstanding = Math.min(most, within(OUTSTANDING_MS));
  return Math.min(WINDOW, Math.max(WINDOW_MIN, workspaces, workers * CALLS_PER_WORKER, outstanding));
}

/** How many workspaces have calls. Those that are not listed count by their weight, which is at least 1. */
export function countWorkspaces(all: readonly Holdings[]): number {
  const listed = new Set(all.flatMap(({ held }) => held.map(({ workspaceId }) => workspaceId)));
  return all.reduce((sum, { restWeight }) => sum + restWeight, listed.size);
}

// Workspaces with about as many calls each need less than their share by chance, now and then.
const LIGHT_SHARE = 1 / 4;

/**
 * Whether some workspaces need at most a quarter of their share of the largest window, and others more than theirs. A share of fewer than
 * four permits does not count: a quarter of it is no call at all, which any workspace has by chance between two calls.
 */
export function hasLight(all: readonly Holdings[]): boolean {
  const parties = [...toParties(all).values()];
  const weight = totalWeight(parties, all);
  const shareOf = (party: Party) => (WINDOW * party.weight) / weight;
  const isLight = (party: Party) => {
    const few = shareOf(party) * LIGHT_SHARE;
    return few >= 1 && demandOf(party) <= few;
  };
  return parties.some(isLight) && parties.some((party) => demandOf(party) > shareOf(party));
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
  const all = [own, ...others];
  const parties = toParties(all);
  const weight = totalWeight([...parties.values()], all);
  let used = (window * restWeightOf(all)) / weight;
  let hungry = 0;
  for (const party of parties.values()) {
    const share = (window * party.weight) / weight;
    const demand = demandOf(party);
    used += Math.min(share, demand);
    if (demand > share) hungry += party.weight;
  }
  const pool = parties.size > 1 ? Math.max(0, window * LENT_UP_TO - used) : 0;
  const grants: Division['grants'] = new Map();
  let ownWeight = own.restWeight;
  for (const { workspaceId, demand } of own.held) {
    const party = parties.get(workspaceId) as Party;
    const share = (window * party.weight) / weight;
    const lent = demandOf(party) > share ? (pool * party.weight) / hungry : 0;
    grants.set(workspaceId, {
      others: party.demands.length - 1,
      lent: lentHere(share, lent, demand, party.demands),
    });
    ownWeight += party.weight / party.demands.length;
  }
  return { foreignWeight: Math.max(0, weight - ownWeight), grants };
}

function restWeightOf(all: readonly Holdings[]): number {
  return all.reduce((sum, { restWeight }) => sum + restWeight, 0);
}

function totalWeight(parties: readonly Party[], all: readonly Holdings[]): number {
  return parties.reduce((sum, { weight }) => sum + weight, restWeightOf(all));
}

function demandOf({ demands }: Party): number {
  return demands.reduce((sum, one) => sum + one, 0);
}

function toParties(all: readonly Holdings[]): Map<string, Party> {
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
