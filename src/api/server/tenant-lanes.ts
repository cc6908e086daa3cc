import { Ring } from '../../ring.ts';

// A request that takes longer is waiting for something, and no longer keeps others from starting.
const BUSY_MS = 25;

// How many lanes are kept although nothing waits in them and nothing is under way. A tenant that is active needs its lane again at once.
const LANES_KEPT = 256;

/** The waiting items of one tenant, and how many are under way. */
interface TenantLane<T> {
  readonly name: string;
  readonly waiting: Ring<T>;
  busy: number;
  /** Whether one of its items may start. Then it has a place in the line. */
  isReady: boolean;
  /** How many of its places in the line no longer count. They come before the one that does, if there is one. */
  givenUp: number;
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
  /** The lanes that take turns, the next one first, and places of lanes that no longer count. */
  private readonly line = new Ring<TenantLane<T>>();
  /** How many lanes have an item that may start. */
  private ready = 0;
  /** The items that count as under way, oldest first. */
  private readonly started = new Set<StartedItem>();
  private timer: NodeJS.Timeout | undefined;

  constructor(max: number, onReady: () => void) {
    this.max = max;
    this.onReady = onReady;
  }

  /** Whether no waiting item may start. */
  get isEmpty(): boolean {
    return this.ready === 0;
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
    for (let lane = this.line.shift(); lane !== undefined; lane = this.line.shift()) {
      if (lane.givenUp > 0) {
        lane.givenUp -= 1;
        continue;
      }
      const one = lane.waiting.shift();
      lane.isReady = false;
      this.ready -= 1;
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
    if (lane.busy === this.max - 1 && lane.waiting.size > 0) this.onReady();
    this.update(lane);
  }

  private laneOf(name: string): TenantLane<T> {
    const known = this.lanes.get(name);
    if (known !== undefined) return known;
    const lane = { name, waiting: new Ring<T>(), busy: 0, isReady: false, givenUp: 0 };
    this.lanes.set(name, lane);
    return lane;
  }

  private update(lane: TenantLane<T>): void {
    const hasWaiting = lane.waiting.size > 0;
    const isReady = hasWaiting && lane.busy < this.max;
    if (isReady && !lane.isReady) {
      this.ready += 1;
      this.line.push(lane);
    } else if (!isReady && lane.isReady) {
      this.ready -= 1;
      lane.givenUp += 1;
    }
    lane.isReady = isReady;
    if (hasWaiting && !isReady) this.timer ??= setTimeout(() => this.endOld(), BUSY_MS);
    if (!hasWaiting && lane.busy === 0 && this.lanes.size > LANES_KEPT) this.lanes.delete(lane.name);
  }

  private endOld(): void {
    const now = performance.now();
    this.timer = undefined;
    for (const item of this.started) {
      if (item.until > now) break;
      this.end(item);
    }
    if ([...this.lanes.values()].some(({ waiting, busy }) => waiting.size > 0 && busy >= this.max))
      this.timer = setTimeout(() => this.endOld(), BUSY_MS);
  }
}
