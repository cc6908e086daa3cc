/** The calls of one workspace in an API process. */
export interface Holding {
  workspaceId: string;
  organizationId: string;
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

/** A workspace whose calls some processes hold. */
interface Party {
  organizationId: string;
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

function addTo(listed: Map<string, Party>, holding: Holding): void {
  const { workspaceId, organizationId, weight, demand } = holding;
  const party = listed.get(workspaceId);
  if (party === undefined) {
    listed.set(workspaceId, { organizationId, weight, demands: [demand], demand });
    return;
  }
  party.weight = Math.max(party.weight, weight);
  party.demands.push(demand);
  party.demand += demand;
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
