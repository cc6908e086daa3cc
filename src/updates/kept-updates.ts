/** Holds updates in memory, and can drop them. */
export interface UpdateKeeper {
  /** How many bytes of updates it keeps. */
  readonly bytes: number;
  /** Drops them; its readers then read the rest from Redis. */
  forget(): void;
}

// Frees more than needed, so that keepers are not sorted again for every update.
const ROOM_SHARE = 1 / 4;

/** Bounds the updates that are kept in memory for all workspaces together: beyond that, the largest keepers drop theirs. */
export class KeptUpdates {
  private readonly max: number;
  private readonly keepers = new Set<UpdateKeeper>();
  private total = 0;

  /** `max` is in bytes. */
  constructor(max: number) {
    this.max = max;
  }

  /** How many bytes are kept. */
  get bytes(): number {
    return this.total;
  }

  /** Counts bytes that a keeper has added or, below zero, dropped. */
  add(keeper: UpdateKeeper, bytes: number): void {
    this.keepers.add(keeper);
    this.total += bytes;
    if (this.total > this.max) this.makeRoom();
  }

  /** Forgets a keeper, with all it keeps. */
  remove(keeper: UpdateKeeper): void {
    if (this.keepers.delete(keeper)) this.total -= keeper.bytes;
  }

  private makeRoom(): void {
    const largest = [...this.keepers].sort((a, b) => b.bytes - a.bytes);
    for (const keeper of largest) {
      if (this.total <= this.max * (1 - ROOM_SHARE)) return;
      this.remove(keeper);
      keeper.forget();
    }
  }
}
