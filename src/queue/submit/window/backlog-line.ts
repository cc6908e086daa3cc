import { Ring } from '../../../ring.ts';

/** A call that waits for its workspace's turn. It is skipped if it has ended by then. */
export interface Queued {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly bytes: number;
  readonly state: string;
  /** How many permits of the window it holds, or held last; the backlog sets it. */
  permits: number;
}

/**
 * The lines of one organization in this process. All together weigh as much as the heaviest of them: an organization gets no larger share
 * by having more workspaces.
 */
export interface Organization {
  organizationId: string;
  /** The weight of its heaviest workspace, and of all. */
  heaviest: number;
  weights: number;
  /** This process's part of the weight of all, before they are brought down to the heaviest. */
  parts: number;
  /** The permits that its outstanding calls hold, and those lent to it beyond its share. */
  outstanding: number;
  lent: number;
}

/** An organization without a line. */
export function openOrganization(organizationId: string): Organization {
  return { organizationId, heaviest: 0, weights: 0, parts: 0, outstanding: 0, lent: 0 };
}

/** The waiting calls of one workspace, and its part of the window. */
export interface Line<Item> {
  workspaceId: string;
  organization: Organization;
  items: Ring<Item>;
  /** About how many of its items have ended. */
  ended: number;
  /** The permits that its outstanding calls hold. */
  outstanding: number;
  /** Those of calls that hold several each. */
  costly: number;
  /** Whether it takes turns in deficit round robin, or is set aside meanwhile. */
  isActive: boolean;
  /** Whether a call has come since the last division. */
  touched: boolean;
  /** The workspace's own weight: see `weightOf`. */
  weight: number;
  /** When its weight was last read, as `performance.now()`. */
  weighedAt: number;
  /** How many other API processes hold calls of the workspace. */
  others: number;
  /** Permits lent to it beyond its share. */
  lent: number;
  /** How many permits it may still take in this turn of deficit round robin. Below 0 after a call that cost more than was left. */
  deficit: number;
  /** How far its costly calls have exceeded its share, in permits times ms, less what it has paid since. */
  debt: number;
  /** When its debt was last brought up to date, as `performance.now()`. */
  settledAt: number;
}

/** An empty line. */
export function openLine<Item>(workspaceId: string, organization: Organization): Line<Item> {
  return {
    workspaceId,
    organization,
    items: new Ring(),
    ended: 0,
    outstanding: 0,
    costly: 0,
    isActive: false,
    touched: true,
    weight: 1,
    weighedAt: Number.NEGATIVE_INFINITY,
    others: 0,
    lent: 0,
    deficit: 0,
    debt: 0,
    settledAt: performance.now(),
  };
}

/** The weight that a workspace has beside those of other organizations. */
export function weightOf({ weight, organization }: Line<unknown>): number {
  return weight * factorOf(organization);
}

/** This process's part of that weight. */
export function ownPart(line: Line<unknown>): number {
  return weightOf(line) / (1 + line.others);
}

/** This process's part of an organization's weight. */
export function partOf(organization: Organization): number {
  return organization.parts * factorOf(organization);
}

/** Counts the weight of a line in its organization. */
export function addWeight({ weight, others, lent, organization }: Line<unknown>): void {
  organization.heaviest = Math.max(organization.heaviest, weight);
  organization.weights += weight;
  organization.parts += weight / (1 + others);
  organization.lent += lent;
}

/** Notes that a line's outstanding calls hold more permits, or fewer. */
export function hold(line: Line<unknown>, permits: number): void {
  line.outstanding += permits;
  line.organization.outstanding += permits;
}

function factorOf({ heaviest, weights }: Organization): number {
  return weights === 0 ? 0 : heaviest / weights;
}
