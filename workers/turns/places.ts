import { TenantLines } from './tenant-lines.ts';

/** A semaphore that is fair to tenants: at most `most` tasks run at once, the others wait in `TenantLines`. */
export class Places {
  private readonly most: number;
  private readonly waiting = new TenantLines<() => void>();
  private readonly returning = new TenantLines<() => void>();
  private taken = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Runs a task of a tenant once a place is free. */
  async run<T>(tenant: string, task: () => Promise<T>): Promise<T> {
    if (!this.take()) await new Promise<void>((go) => this.waiting.push(tenant, go));
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  /** Gives the task's place to others while it waits for something. Afterwards the task goes on before those that have not started. */
  async runApart<T>(tenant: string, wait: () => Promise<T>): Promise<T> {
    this.leave();
    try {
      return await wait();
    } finally {
      if (!this.take()) await new Promise<void>((go) => this.returning.push(tenant, go));
    }
  }

  /** Gives the task's place to others; its next part waits like a new task. */
  async takeTurn(tenant: string): Promise<void> {
    this.leave();
    if (!this.take()) await new Promise<void>((go) => this.waiting.push(tenant, go));
  }

  /**
   * Gives the task's place to others; its next part waits behind all that wait now. For tasks of many parts: several of these would
   * otherwise starve the rest.
   */
  async giveWay(tenant: string): Promise<void> {
    this.leave();
    if (!this.take()) await new Promise<void>((go) => this.waiting.pushLast(tenant, go));
  }

  private take(): boolean {
    if (this.taken >= this.most) return false;
    this.taken += 1;
    return true;
  }

  private leave(): void {
    // The next task takes over the place.
    const next = this.returning.shift() ?? this.waiting.shift();
    if (next === undefined) this.taken -= 1;
    else next();
  }
}
