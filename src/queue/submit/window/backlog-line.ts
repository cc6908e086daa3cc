import { Ring } from '../../../ring.ts';

/** An item that waits for its workspace's turn. Items that have ended by then are skipped. */
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
  /** Whether it is in the round of deficit round robin. */
  queued: boolean;
  /** Whether a call has come since the last division. */
  touched: boolean;
  weight: number;
  weighedAt: number;
  /** How many other API processes hold calls of the workspace. */
  others: number;
  /** Permits lent to it beyond its share. */
  lent: number;
  /** The deficit of deficit round robin: how many permits it may still take in this turn. Below 0 after a call that costs more. */
  deficit: number;
  /** By how much its outstanding calls have exceeded its share, in permits times ms, less what it has paid since. Of costly calls only. */
  debt: number;
  /** When its debt was last brought up to date. */
  settledAt: number;
}

/** An empty line. */
export function openLine<Item>(workspaceId: string): Line<Item> {
  return {
    workspaceId,
    items: new Ring(),
    ended: 0,
    outstanding: 0,
    queued: false,
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
