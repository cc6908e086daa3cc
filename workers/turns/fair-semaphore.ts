import { TenantLines } from './tenant-lines.ts';

/** A semaphore that is fair to tenants: at most `max` tasks run at once, the others wait in `TenantLines`. */
export class FairSemaphore {
  private readonly max: number;
  private readonly waiting = new TenantLines<() => void>();
  private readonly returning = new TenantLines<() => void>();
  private taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Runs a task of a tenant once a permit is free. */
  async run<T>(tenant: string, task: () => Promise<T>): Promise<T> {
    if (!this.take()) await new Promise<void>((go) => this.waiting.push(tenant, go));
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  /** Yields the task's permit while it waits for something. Afterwards the task goes on before those that have not started. */
  async runWithoutPermit<T>(tenant: string, wait: () => Promise<T>): Promise<T> {
    this.leave();
    try {
      return await wait();
    } finally {
      if (!this.take()) await new Promise<void>((go) => this.returning.push(tenant, go));
    }
  }

  /** Yields the task's permit; its next part waits like a new task. */
  async requeue(tenant: string): Promise<void> {
    this.leave();
    if (!this.take()) await new Promise<void>((go) => this.waiting.push(tenant, go));
  }

  private take(): boolean {
    if (this.taken >= this.max) return false;
    this.taken += 1;
    return true;
  }

  private leave(): void {
    // The next task takes over the permit.
    const next = this.returning.shift() ?? this.waiting.shift();
    if (next === undefined) this.taken -= 1;
    else next();
  }
}
