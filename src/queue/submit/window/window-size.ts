import type { Parties } from './divide-window.ts';

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

/**
 * How many workspaces have calls. Those that are not listed count by their weight, which is at least 1, and as one organization. None of
 * several organizations counts for more than its equal part of the largest window.
 */
export function countWorkspaces({ listed, restWeight }: Parties): number {
  const counts = new Map<string, number>();
  for (const { organizationId } of listed.values())
    counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
  const all = [...counts.values(), ...(restWeight > 0 ? [restWeight] : [])];
  const most = Math.max(1, Math.floor(WINDOW / all.length));
  return all.reduce((sum, count) => sum + Math.min(count, most), 0);
}

// Workspaces with about as many calls each need less than their share by chance, now and then.
const LIGHT_SHARE = 1 / 4;

/**
 * Whether some workspaces need at most a quarter of their share of the largest window, and others more than theirs; or some organizations,
 * if each had the share of its heaviest workspace. A share of fewer than four permits does not count: a quarter of it is no call at all,
 * which any workspace has by chance between two calls.
 */
export function hasLight({ listed, restWeight }: Parties): boolean {
  const parties = [...listed.values()];
  return isAnyLight(parties, restWeight) || isAnyLight(byOrganization(parties), restWeight > 0 ? 1 : 0);
}

/** What a workspace or an organization wants of the window. */
interface Claim {
  weight: number;
  /** The permits that its calls hold or want. */
  demand: number;
}

function byOrganization(parties: readonly (Claim & { organizationId: string })[]): Claim[] {
  const organizations = new Map<string, Claim>();
  for (const { organizationId, weight, demand } of parties) {
    const organization = organizations.get(organizationId) ?? { weight: 0, demand: 0 };
    organization.weight = Math.max(organization.weight, weight);
    organization.demand += demand;
    organizations.set(organizationId, organization);
  }
  return [...organizations.values()];
}

function isAnyLight(claims: readonly Claim[], restWeight: number): boolean {
  const total = claims.reduce((sum, { weight }) => sum + weight, restWeight);
  let isLight = false;
  let isHungry = false;
  for (const { weight, demand } of claims) {
    const share = (WINDOW * weight) / total;
    const few = share * LIGHT_SHARE;
    if (few >= 1 && demand <= few) isLight = true;
    if (demand > share) isHungry = true;
  }
  return isLight && isHungry;
}
