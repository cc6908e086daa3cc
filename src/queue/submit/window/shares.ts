import { type Line, ownPart } from './backlog-line.ts';
import type { Division } from './divide-window.ts';

// Permits beyond a full window, so that a newly active workspace need not wait until others have given theirs back.
const PERMITS_FOR_NEWCOMERS = 64;

// With a share of one or two permits, the callers of a workspace would wait for each other. While the window has room, each workspace may
// have this many permits times its weight; in a full window none gets more than its share.
const PERMITS_MIN = 4;

// A workspace whose share is worth less than one of its calls pays for a call by waiting, but no longer than this.
const PAYING_MAX_MS = 1_000;

type Shared = Line<unknown>;

/** This process's part of the window, and the shares of workspaces in it, in permits. */
export class Shares {
  private readonly windowMax: number;
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

  /** Counts a new line in. */
  join(line: Shared): void {
    this.ownWeight += ownPart(line);
  }

  /** Sets the weight of a line. */
  weigh(line: Shared, weight: number, at: number): void {
    this.ownWeight -= ownPart(line);
    line.weight = weight;
    line.weighedAt = at;
    this.ownWeight += ownPart(line);
  }

  /** Applies a division of a window among these lines. */
  divide({ foreignWeight, grants }: Division, window: number, lines: Iterable<Shared>): void {
    this.currentWindow = window;
    this.foreignWeight = foreignWeight;
    this.ownWeight = 0;
    this.lent = 0;
    for (const line of lines) {
      const grant = grants.get(line.workspaceId);
      line.others = grant?.others ?? 0;
      line.lent = grant?.lent ?? 0;
      this.lent += line.lent;
      this.ownWeight += ownPart(line);
    }
  }

  /** How many more permits a line may take if each call takes `cost`; its last call may exceed that. `taken` is the total of all lines. */
  roomOf(line: Shared, cost: number, taken: number, now: number): number {
    const { permits } = this;
    const room = this.limitOf(line, taken < permits) - line.outstanding;
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

  private limitOf(line: Shared, hasWindowRoom: boolean): number {
    const share = this.shareOf(line);
    const permits = hasWindowRoom ? Math.max(share, PERMITS_MIN * ownPart(line)) : share;
    return Math.max(1, Math.floor(permits + 1e-6));
  }

  private shareOf(line: Shared): number {
    return this.part(ownPart(line)) + line.lent;
  }

  private part(weight: number, window = this.currentWindow): number {
    return weight === 0 ? window : (window * weight) / (this.ownWeight + this.foreignWeight);
  }
}
