import {
  addWeight,
  type Line,
  type Organization,
  openOrganization,
  ownPart,
  partOf,
} from './backlog-line.ts';
import type { Division } from './divide-window.ts';

// Permits beyond a full window, so that a newly active workspace need not wait until others have given theirs back.
const PERMITS_FOR_NEWCOMERS = 64;

// With a share of one or two permits, the callers of a workspace would wait for each other. While the window has room, each workspace may
// have this many permits times its weight; in a full window none gets more than its share.
const PERMITS_MIN = 4;

// A workspace whose share is worth less than one of its calls pays for a call by waiting, but no longer than this.
const PAYING_MAX_MS = 1_000;

const NO_LINES = { heaviest: 0, weights: 0, parts: 0, lent: 0 };

type Shared = Line<unknown>;

/** This process's part of the window, and the shares of workspaces in it, in permits. */
export class Shares {
  private readonly windowMax: number;
  private readonly organizations = new Map<string, Organization>();
  private currentWindow: number;
  private ownWeight = 0;
  private foreignWeight = 0;
  private lent = 0;

  constructor(windowMax: number) {
    this.windowMax = windowMax;
    this.currentWindow = windowMax;
  }

  /** How many permits all processes have together. */
  get window(): number {
    return this.currentWindow;
  }

  /** This process's part; the whole window while no other process holds calls. */
  get permits(): number {
    return Math.round(this.part(this.ownWeight) + this.lent);
  }

  /**
   * How many permits outstanding calls may hold. As many as with the largest window: calls may hold their permits long without keeping a
   * worker busy, and the calls of many workspaces would fill a small window so that nobody else gets in.
   */
  get outstandingMax(): number {
    return Math.round(this.part(this.ownWeight, this.windowMax) + this.lent) + PERMITS_FOR_NEWCOMERS;
  }

  /** The organization with this id, for a new line of it. */
  organizationOf(id: string): Organization {
    const organization = this.organizations.get(id) ?? openOrganization(id);
    this.organizations.set(id, organization);
    return organization;
  }

  /** Counts a new line in. */
  join(line: Shared): void {
    this.ownWeight -= partOf(line.organization);
    addWeight(line);
    this.ownWeight += partOf(line.organization);
  }

  /** Sets the weight of a line. That its organization has a lighter heaviest workspace is noticed by the next division. */
  weigh(line: Shared, weight: number, at: number): void {
    const { organization } = line;
    this.ownWeight -= partOf(organization);
    const more = weight - line.weight;
    organization.weights += more;
    organization.parts += more / (1 + line.others);
    organization.heaviest = Math.max(organization.heaviest, weight);
    line.weight = weight;
    line.weighedAt = at;
    this.ownWeight += partOf(organization);
  }

  /** Applies a division of a window among these lines. */
  divide({ foreignWeight, grants }: Division, window: number, lines: Iterable<Shared>): void {
    this.currentWindow = window;
    this.foreignWeight = foreignWeight;
    this.ownWeight = 0;
    this.lent = 0;
    for (const one of this.organizations.values()) Object.assign(one, NO_LINES);
    for (const line of lines) {
      const grant = grants.get(line.workspaceId);
      line.others = grant?.others ?? 0;
      line.lent = grant?.lent ?? 0;
      this.lent += line.lent;
      addWeight(line);
    }
    for (const [id, organization] of this.organizations) {
      if (organization.weights === 0) this.organizations.delete(id);
      else this.ownWeight += partOf(organization);
    }
  }

  /** How many more permits a line may take if each call takes `cost`; its last call may exceed that. `taken` is the total of all lines. */
  roomOf(line: Shared, cost: number, taken: number, now: number): number {
    const { permits } = this;
    const room = this.freeOf(line, taken < permits);
    if (cost === 1 || room <= 0 || taken === 0 || taken + cost <= permits) return room;
    // Beyond the window there is room for newcomers.
    if (taken > permits) return 0;
    this.settle(line, now);
    return line.debt > 0 ? 0 : room;
  }

  /** Brings the debt of a line up to date. Call it before the permits of its costly calls change. */
  settle(line: Shared, now: number): void {
    const share = this.shareOf(line);
    const debt = line.debt + (line.costly - share) * (now - line.settledAt);
    line.debt = Math.min(Math.max(0, debt), share * PAYING_MAX_MS);
    line.settledAt = now;
  }

  // No workspace has more than its share, and all of an organization together have no more than its share.
  private freeOf(line: Shared, hasWindowRoom: boolean): number {
    const { organization, outstanding, weight, others } = line;
    const free = limitOf(this.shareOf(line), weight / (1 + others), hasWindowRoom) - outstanding;
    if (organization.outstanding === outstanding) return free;
    const part = partOf(organization);
    const ofAll = limitOf(this.part(part) + organization.lent, part, hasWindowRoom);
    return Math.min(free, ofAll - organization.outstanding);
  }

  private shareOf(line: Shared): number {
    return this.part(ownPart(line)) + line.lent;
  }

  private part(weight: number, window = this.currentWindow): number {
    return weight === 0 ? window : (window * weight) / (this.ownWeight + this.foreignWeight);
  }
}

function limitOf(share: number, weight: number, hasWindowRoom: boolean): number {
  const permits = hasWindowRoom ? Math.max(share, PERMITS_MIN * weight) : share;
  return Math.max(1, Math.floor(permits + 1e-6));
}
