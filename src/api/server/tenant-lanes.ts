// A request that takes longer is waiting for something, and no longer keeps others from starting.
const BUSY_MS = 25;

/** The waiting items of one tenant, and how many are under way. */
interface TenantLane<T> {
  readonly name: string;
  readonly waiting: T[];
  busy: number;
}

/** An item that was started, and may count as under way. */
export interface StartedItem {
  readonly lane: TenantLane<unknown>;
  readonly until: number;
}

/**
 * Starts waiting items in turns (round robin over tenants), however many one tenant has. At most `max` items of a tenant are under way; an
 * item counts for 25 ms at most.
 */
export class TenantLanes<T> {
  private readonly max: number;
  /** Called when an item may start that could not start before. */
  private readonly onReady: () => void;
  private readonly lanes = new Map<string, TenantLane<T>>();
  /** The lanes with an item that may start, the next one first. */
  private readonly ready = new Set<TenantLane<T>>();
  /** The items that count as under way, oldest first. */
  private readonly started = new Set<StartedItem>();
  private timer: NodeJS.Timeout | undefined;

  constructor(max: number, onReady: () => void) {
    this.max = max;
    this.onReady = onReady;
  }

  /** Whether no waiting item may start. */
  get isEmpty(): boolean {
    return this.ready.size === 0;
  }

  /** Whether a new item of a tenant may start at once, because no other waits. */
  mayBegin(tenant: string): boolean {
    return this.isEmpty && (this.lanes.get(tenant)?.busy ?? 0) < this.max;
  }

  add(tenant: string, one: T): void {
    const lane = this.laneOf(tenant);
    lane.waiting.push(one);
    this.update(lane);
  }

  /** Takes the next item; undefined if none may start. */
  take(): T | undefined {
    for (const lane of this.ready) {
      const one = lane.waiting.shift();
      this.ready.delete(lane);
      this.update(lane);
      return one;
    }
    return undefined;
  }

  /** Counts an item as under way, until it ends or 25 ms have passed. */
  begin(tenant: string): StartedItem {
    const lane = this.laneOf(tenant);
    const item = { lane, until: performance.now() + BUSY_MS };
    lane.busy += 1;
    this.started.add(item);
    this.update(lane);
    return item;
  }

  /** Ends an item. Idempotent. */
  end(item: StartedItem): void {
    if (!this.started.delete(item)) return;
    const lane = item.lane as TenantLane<T>;
    lane.busy -= 1;
    if (lane.busy === this.max - 1 && lane.waiting.length > 0) this.onReady();
    this.update(lane);
  }

  private laneOf(name: string): TenantLane<T> {
    const known = this.lanes.get(name);
    if (known !== undefined) return known;
    const lane = { name, waiting: [], busy: 0 };
    this.lanes.set(name, lane);
    return lane;
  }

  private update(lane: TenantLane<T>): void {
    if (lane.waiting.length === 0) {
      this.ready.delete(lane);
      if (lane.busy === 0) this.lanes.delete(lane.name);
    } else if (lane.busy < this.max) this.ready.add(lane);
    else {
      this.ready.delete(lane);
      this.timer ??= setTimeout(() => this.endOld(), BUSY_MS);
    }
  }

  private endOld(): void {
    const now = performance.now();
    this.timer = undefined;
    for (const item of this.started) {
      if (item.until > now) break;
      this.end(item);
    }
    if ([...this.lanes.values()].some(({ waiting, busy }) => waiting.length > 0 && busy >= this.max))
      this.timer = setTimeout(() => this.endOld(), BUSY_MS);
  }
}
