/** The calls of one workspace in an API process. */
export interface Holding {
  workspaceId: string;
  weight: number;
  /** The permits that its calls hold or want. */
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
 * How many calls of all API processes together may be outstanding, in permits: a call that costs a worker and Redis much takes several.
 * More would not raise the throughput, and would make a quiet workspace wait.
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
  /** The most permits that a call takes. */
  costliest: number;
  /** How many workspaces have calls. */
  workspaces: number;
  /** Whether some of them need far less than their share, and others more. */
  hasLight: boolean;
}

/**
 * The window for the answer rates of the API processes, in permits a second; null for a process that has got no answers yet. By Little's
 * law, this many calls are outstanding if each takes `OUTSTANDING_MS`. With more, slow calls would wait in workers, where their turn is
 * already decided and where no other worker can take them. It has a permit for each of the active `workspaces`: each has one at least, and
 * in a smaller window all would have the same, whatever their weights. It has enough for all `workers`, however slow and costly the calls
 * are. With `hasLight` fewer are outstanding, however fast calls are answered.
 */
export function windowFor(
  answerRates: readonly (number | null)[],
  { workers, costliest, workspaces, hasLight }: WindowNeeds,
): number {
  let perSecond = 0;
  for (const rate of answerRates) perSecond += rate ?? Number.POSITIVE_INFINITY;
  const within = (ms: number) => Math.round((perSecond * ms) / 1_000);
  const most = hasLight ? Math.max(WINDOW_BESIDE_LIGHT, within(OUTSTANDING_BESIDE_LIGHT_MS)) : WINDOW;
  const outstanding = Math.min(most, within(OUTSTANDING_MS));
  return Math.min(
    WINDOW,
    Math.max(WINDOW_MIN, workspaces, workers * CALLS_PER_WORKER * costliest, outstanding),
  );
}

/** The most permits that a call may take: so few that the largest window has room for two calls for each of the `workers`. */
export function permitsPerCallMax(workers: number): number {
  return Math.max(1, Math.floor(WINDOW / Math.max(1, workers * CALLS_PER_WORKER)));
}

/** A workspace whose calls some processes hold. */
interface Party {
  weight: number;
  /** The permits that its calls hold or want in each of these processes, and in all. */
  demands: number[];
  demand: number;
}

/** Who shares the window. */
export interface Parties {
  listed: ReadonlyMap<string, Party>;
  /** The total weight of the workspaces that are not listed, and of all. */
  restWeight: number;
  weight: number;
}

/** Adds up what all processes hold. */
export function addUp(all: readonly Holdings[]): Parties {
  const listed = new Map<string, Party>();
  let restWeight = 0;
  for (const holdings of all) {
    restWeight += holdings.restWeight;
    for (const holding of holdings.held) addTo(listed, holding);
  }
  let weight = restWeight;
  for (const party of listed.values()) weight += party.weight;
  return { listed, restWeight, weight };
}

function addTo(listed: Map<string, Party>, { workspaceId, weight, demand }: Holding): void {
  const party = listed.get(workspaceId);
  if (party === undefined) {
    listed.set(workspaceId, { weight, demands: [demand], demand });
    return;
  }
  party.weight = Math.max(party.weight, weight);
  party.demands.push(demand);
  party.demand += demand;
}

/** How many workspaces have calls. Those that are not listed count by their weight, which is at least 1. */
export function countWorkspaces({ listed, restWeight }: Parties): number {
  return listed.size + restWeight;
}

// Workspaces with about as many calls each need less than their share by chance, now and then.
const LIGHT_SHARE = 1 / 4;

/**
 * Whether some workspaces need at most a quarter of their share of the largest window, and others more than theirs. A share of fewer than
 * four permits does not count: a quarter of it is no call at all, which any workspace has by chance between two calls.
 */
export function hasLight({ listed, weight: total }: Parties): boolean {
  let isLight = false;
  let isHungry = false;
  for (const { weight, demand } of listed.values()) {
    const share = (WINDOW * weight) / total;
    const few = share * LIGHT_SHARE;
    if (few >= 1 && demand <= few) isLight = true;
    if (demand > share) isHungry = true;
  }
  return isLight && isHungry;
}

// With several active workspaces, lending fills at most this part of the window: a workspace that returns to a window full of another's
// calls has to wait for them.
const LENT_UP_TO = 0.5;

/**
 * Divides the window among all active workspaces by weight, and each share among the processes that hold the workspace's calls. What one
 * process does not need of a workspace's share goes to the other processes that hold it. What a workspace does not need is lent to those
 * that need more, by weight. `own` is what this process holds.
 */
export function divideWindow(
  window: number,
  own: Holdings,
  { listed, restWeight, weight }: Parties,
): Division {
  let used = (window * restWeight) / weight;
  let hungry = 0;
  for (const party of listed.values()) {
    const share = (window * party.weight) / weight;
    used += Math.min(share, party.demand);
    if (party.demand > share) hungry += party.weight;
  }
  const pool = listed.size > 1 ? Math.max(0, window * LENT_UP_TO - used) : 0;
  const grants: Division['grants'] = new Map();
  let ownWeight = own.restWeight;
  for (const { workspaceId, demand } of own.held) {
    const party = listed.get(workspaceId) as Party;
    const share = (window * party.weight) / weight;
    const lent = party.demand > share ? (pool * party.weight) / hungry : 0;
    grants.set(workspaceId, {
      others: party.demands.length - 1,
      lent: lentHere(share, lent, demand, party.demands),
    });
    ownWeight += party.weight / party.demands.length;
  }
  return { foreignWeight: Math.max(0, weight - ownWeight), grants };
}

// A process that needs less than its part of a share leaves the rest to the other processes.
function lentHere(share: number, lent: number, demand: number, demands: number[]): number {
  const part = share / demands.length;
  if (demand <= part) return 0;
  const hungry = demands.filter((one) => one > part).length;
  const unused = demands.reduce((sum, one) => sum + Math.max(0, part - one), 0);
  return (unused + lent) / hungry;
}
