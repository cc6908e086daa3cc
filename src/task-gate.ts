import { Problem } from './problem.ts';

/** Whose task it is. Tenants take turns, then the keys of each tenant. `signal` aborts when the caller is gone. */
export interface TaskOwner {
  tenant: string;
  key: string;
  signal: AbortSignal;
}

/** Options of a task. */
export interface TaskOptions {
  /** Tasks of one name that wait at the same time are run once, and share the result. */
  name?: string | undefined;
  /** Does not count for the bounds on waiting tasks, because it is bounded elsewhere or small. */
  isExempt?: boolean;
}

/** How many tasks may run and wait. */
export interface GateLimits {
  atOnce: number;
  perKey: number;
  waitingPerKey: number;
  /** The bounds for all keys of a tenant together; by default only the keys' own bounds apply. */
  perTenant?: number;
  waitingPerTenant?: number;
  /** Whether no task of a tenant may start for now; polled while tasks wait. */
  isResting?: (tenant: string) => boolean;
  /** The detail of a refusal; by default, that too many reads of an API key wait. */
  refusal?: string;
}

interface Waiter {
  line: Line;
  signal: AbortSignal;
  options: TaskOptions;
  task(): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Tenant {
  name: string;
  /** By key; the next one first. */
  lines: Map<string, Line>;
  running: number;
  counted: number;
}

/** The tasks of one key. */
interface Line {
  tenant: Tenant;
  key: string;
  running: number;
  /** The number of waiting tasks that are not exempt. */
  counted: number;
  waiting: Set<Waiter>;
}

// How often a resting tenant is checked again.
const RESTING_MS = 10;

/**
 * Lets few tasks run at once, of each key and altogether; the others wait. Tenants take turns, and so do the keys of each.
 * A task whose caller is gone is skipped. After each task the process yields to the event loop.
 */
export class TaskGate {
  private readonly limits: GateLimits;
  /** By name; the next one first. */
  private readonly tenants = new Map<string, Tenant>();
  private readonly named = new Map<string, Set<Waiter>>();
  private running = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(limits: GateLimits) {
    this.limits = limits;
  }

  /** Runs a task when it is its turn; `rate_limited` when too many of its key wait already. */
  run<T>(owner: TaskOwner, task: () => Promise<T>, options: TaskOptions = {}): Promise<T> {
    const line = this.lineOf(owner);
    if (options.isExempt !== true && this.isFull(line) && !this.makeRoom(line)) {
      this.forgetIdle(line);
      return Promise.reject(this.refusal());
    }
    return new Promise<T>((resolve, reject) => {
      this.add({
        line,
        signal: owner.signal,
        options,
        task,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.startNext();
    });
  }

  private isFull({ counted, tenant }: Line): boolean {
    const { waitingPerKey, waitingPerTenant = Number.POSITIVE_INFINITY } = this.limits;
    return counted >= waitingPerKey || tenant.counted >= waitingPerTenant;
  }

  /** Drops waiting tasks whose callers are gone; whether there is room then. */
  private makeRoom(line: Line): boolean {
    this.dropAbandoned(line);
    // Without a bound for the tenant, its keys may have many thousands of tasks.
    if (line.counted >= this.limits.waitingPerKey) return false;
    for (const one of line.tenant.lines.values()) {
      if (!this.isFull(line)) return true;
      this.dropAbandoned(one);
      if (one !== line) this.forgetIdle(one);
    }
    return !this.isFull(line);
  }

  private startNext(): void {
    while (this.running < this.limits.atOnce) {
      const waiter = this.takeNext();
      if (waiter === null) return;
      this.running += 1;
      waiter.line.running += 1;
      waiter.line.tenant.running += 1;
      void this.serve(waiter, this.takeSharers(waiter));
    }
  }

  private startLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.startNext();
    }, RESTING_MS);
  }

  private async serve(waiter: Waiter, sharers: Waiter[]): Promise<void> {
    let settle: (one: Waiter) => void;
    try {
      const value = await waiter.task();
      settle = ({ resolve }) => resolve(value);
    } catch (error) {
      settle = ({ reject }) => reject(error);
    }
    settle(waiter);
    await nextTurn();
    // Each sharer's answer takes time too, so yield in between.
    for (const sharer of sharers) {
      settle(sharer);
      if (!sharer.signal.aborted) await nextTurn();
    }
    this.running -= 1;
    waiter.line.running -= 1;
    waiter.line.tenant.running -= 1;
    this.forgetIdle(waiter.line);
    this.startNext();
  }

  /** The next waiter, or null. Its tenant and its key go to the end of their lines. */
  private takeNext(): Waiter | null {
    const { perTenant = Number.POSITIVE_INFINITY } = this.limits;
    for (const tenant of this.tenants.values()) {
      if (tenant.running >= perTenant) continue;
      if (this.limits.isResting?.(tenant.name)) {
        this.startLater();
        continue;
      }
      for (const line of tenant.lines.values()) {
        if (line.running >= this.limits.perKey) continue;
        const waiter = this.firstOf(line);
        if (waiter === null) continue;
        moveLast(tenant.lines, line.key, line);
        moveLast(this.tenants, tenant.name, tenant);
        return waiter;
      }
    }
    return null;
  }

  private firstOf(line: Line): Waiter | null {
    for (const waiter of line.waiting) {
      this.remove(waiter);
      if (!waiter.signal.aborted) return waiter;
      waiter.reject(gone());
    }
    this.forgetIdle(line);
    return null;
  }

  private takeSharers({ options }: Waiter): Waiter[] {
    const sharers = [...(this.named.get(options.name ?? '') ?? [])];
    for (const sharer of sharers) {
      this.remove(sharer);
      this.forgetIdle(sharer.line);
    }
    return sharers;
  }

  private dropAbandoned(line: Line): void {
    for (const waiter of line.waiting) {
      if (!waiter.signal.aborted) continue;
      this.remove(waiter);
      waiter.reject(gone());
    }
  }

  private add(waiter: Waiter): void {
    const { line, options } = waiter;
    line.waiting.add(waiter);
    if (options.isExempt !== true) this.count(line, 1);
    if (options.name === undefined) return;
    const same = this.named.get(options.name) ?? new Set();
    this.named.set(options.name, same.add(waiter));
  }

  private remove(waiter: Waiter): void {
    const { line, options } = waiter;
    line.waiting.delete(waiter);
    if (options.isExempt !== true) this.count(line, -1);
    if (options.name === undefined) return;
    const same = this.named.get(options.name);
    same?.delete(waiter);
    if (same?.size === 0) this.named.delete(options.name);
  }

  private count(line: Line, count: 1 | -1): void {
    line.counted += count;
    line.tenant.counted += count;
  }

  private lineOf({ tenant: name, key }: TaskOwner): Line {
    const tenant = this.tenants.get(name) ?? { name, lines: new Map(), running: 0, counted: 0 };
    const known = tenant.lines.get(key);
    if (known !== undefined) return known;
    const line: Line = { tenant, key, running: 0, counted: 0, waiting: new Set() };
    tenant.lines.set(key, line);
    this.tenants.set(name, tenant);
    return line;
  }

  private forgetIdle({ tenant, key, running, waiting }: Line): void {
    if (running > 0 || waiting.size > 0) return;
    tenant.lines.delete(key);
    if (tenant.lines.size === 0) this.tenants.delete(tenant.name);
  }

  private refusal(): Problem {
    const { waitingPerKey, refusal } = this.limits;
    return new Problem('rate_limited', {
      detail:
        refusal ??
        `${waitingPerKey} reads of this API key wait here already. Wait for answers before asking for more.`,
      headers: { 'retry-after': String(1 + Math.floor(Math.random() * 3)) },
    });
  }
}

/** Rejects a task whose caller is gone; nobody sees it. */
function gone(): Problem {
  return new Problem('request_timeout', { detail: 'The connection was closed.' });
}

function moveLast<V>(map: Map<string, V>, name: string, value: V): void {
  map.delete(name);
  map.set(name, value);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
