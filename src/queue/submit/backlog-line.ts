/** Something that waits for its turn on behalf of one workspace; what has ended by then is passed over. */
export interface Queued {
  readonly workspaceId: string;
  readonly bytes: number;
  readonly state: string;
}

/** The calls of one workspace that wait, and what it may have outstanding. */
export interface Line<Item> {
  workspaceId: string;
  /** Those before `head` are gone. */
  items: (Item | undefined)[];
  head: number;
  outstanding: number;
  /** Whether it has a place in the round. */
  queued: boolean;
  /** Whether a call has come since the last division. */
  touched: boolean;
  weight: number;
  weighedAt: number;
  /** How many other processes hold calls of the workspace. */
  others: number;
  /** Permits lent to it, beside its share. */
  lent: number;
  /** Of deficit round robin: how many calls it may still give before it is the next one's turn. */
  deficit: number;
}

/** An empty line. */
export function openLine<Item>(workspaceId: string): Line<Item> {
  return {
    workspaceId,
    items: [],
    head: 0,
    outstanding: 0,
    queued: false,
    touched: true,
    weight: 1,
    weighedAt: Number.NEGATIVE_INFINITY,
    others: 0,
    lent: 0,
    deficit: 0,
  };
}

/** The part of its workspace's weight that is this process's. */
export function ownPart(line: { weight: number; others: number }): number {
  return line.weight / (1 + line.others);
}
