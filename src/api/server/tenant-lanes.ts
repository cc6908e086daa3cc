// What has not ended after this waits for something, and no longer keeps others from beginning.
const BUSY_MS = 25;

/** What waits of one tenant, and how much of it is under way. */
interface Lane<T> {
  readonly name: string;
  readonly waiting: T[];
  busy: number;
}

/** Something that was begun and may count as under way. */
export interface Turn {
  readonly lane: Lane<unknown>;
  readonly until: number;
}

/**
 * Lets what waits begin in turns: tenants take turns, however much one has waiting. Of each at most `most` are under way, of which
 * only those count that began within 25 ms.
 */
export class TenantLanes<T> {
  private readonly most: number;
  /** Hears when something may begin that could not. */
  private readonly onReady: () => void;
  private readonly lanes = new Map<string, Lane<T>>();
  /** Those of which something may begin; whose turn it is stands first. */
  private readonly ready = new Set<Lane<T>>();
  /** What counts as under way, oldest first. */
  private readonly turns = new Set<Turn>();
  private timer: NodeJS.Timeout | undefined;

  constructor(most: number, onReady: () => void) {
    this.most = most;
    this.onReady = onReady;
  }

  /** Whether nothing waits that may begin. */
  get isEmpty(): boolean {
    return this.ready.size === 0;
  }

  /** Whether something of a tenant may begin that has just come, as nothing waits. */
  mayBegin(tenant: string): boolean {
    return this.isEmpty && (this.lanes.get(tenant)?.busy ?? 0) < this.most;
  }

  add(tenant: string, one: T): void {
    const lane = this.laneOf(tenant);
    lane.waiting.push(one);
    this.lookAt(lane);
  }

  /** The one whose turn it is; undefined where none may begin. */
  take(): T | undefined {
    for (const lane of this.ready) {
      const one = lane.waiting.shift();
      this.ready.delete(lane);
      this.lookAt(lane);
      return one;
    }
    return undefined;
  }

  /** Counts something as under way, until it ends or has taken long. */
  begin(tenant: string): Turn {
    const lane = this.laneOf(tenant);
    const turn = { lane, until: performance.now() + BUSY_MS };
    lane.busy += 1;
    this.turns.add(turn);
    this.lookAt(lane);
    return turn;
  }

  /** Ends something; idempotent. */
  end(turn: Turn): void {
    if (!this.turns.delete(turn)) return;
    const lane = turn.lane as Lane<T>;
    lane.busy -= 1;
    if (lane.busy === this.most - 1 && lane.waiting.length > 0) this.onReady();
    this.lookAt(lane);
  }

  private laneOf(name: string): Lane<T> {
    const known = this.lanes.get(name);
    if (known !== undefined) return known;
    const lane = { name, waiting: [], busy: 0 };
    this.lanes.set(name, lane);
    return lane;
  }

  private lookAt(lane: Lane<T>): void {
    if (lane.waiting.length === 0) {
      this.ready.delete(lane);
      if (lane.busy === 0) this.lanes.delete(lane.name);
    } else if (lane.busy < this.most) this.ready.add(lane);
    else {
      this.ready.delete(lane);
      this.timer ??= setTimeout(() => this.endOld(), BUSY_MS);
    }
  }

  private endOld(): void {
    const now = performance.now();
    this.timer = undefined;
    for (const turn of this.turns) {
      if (turn.until > now) break;
      this.end(turn);
    }
    if ([...this.lanes.values()].some(({ waiting, busy }) => waiting.length > 0 && busy >= this.most))
      this.timer = setTimeout(() => this.endOld(), BUSY_MS);
  }
}
