import { Ring } from '../../../ring.ts';

/** A call that waits for its workspace's turn. It is skipped if it has ended by then. */
export interface Queued {
  readonly workspaceId: string;
  readonly bytes: number;
  readonly state: string;
  /** How many permits of the window it holds, or held last; the backlog sets it. */
  permits: number;
}

/** The waiting calls of one workspace, and its part of the window. */
export interface Line<Item> {
  workspaceId: string;
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
export function openLine<Item>(workspaceId: string): Line<Item> {
  return {
    workspaceId,
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

/** This process's part of the workspace's weight. */
export function ownPart(line: { weight: number; others: number }): number {
  return line.weight / (1 + line.others);
}
