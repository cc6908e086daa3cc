import { TenantLines } from './tenant-lines.ts';

/** Lets few tasks be under way at once; the others wait in the lines of their tenants. */
export class Places {
  private readonly most: number;
  private readonly waiting = new TenantLines<() => void>();
  private readonly returning = new TenantLines<() => void>();
  private taken = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Runs a task of a tenant when there is a place for it. */
  async run<T>(tenant: string, task: () => Promise<T>): Promise<T> {
    if (!this.take()) await new Promise<void>((go) => this.waiting.push(tenant, go));
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  /** Leaves the place of a task to others while it waits for something; it then goes on before those that have not begun. */
  async runApart<T>(tenant: string, wait: () => Promise<T>): Promise<T> {
    this.leave();
    try {
      return await wait();
    } finally {
      if (!this.take()) await new Promise<void>((go) => this.returning.push(tenant, go));
    }
  }

  /** Has a task wait for its next part like one that begins. */
  async takeTurn(tenant: string): Promise<void> {
    this.leave();
    if (!this.take()) await new Promise<void>((go) => this.waiting.push(tenant, go));
  }

  /** Has a task wait for its next part behind all that waits now, as one of many parts should: several of them would keep out the rest. */
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
    // The place goes to the next one.
    const next = this.returning.shift() ?? this.waiting.shift();
    if (next === undefined) this.taken -= 1;
    else next();
  }
}
