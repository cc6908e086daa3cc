import { TenantLines } from './tenant-lines.ts';

// Two keep Redis busy while one of them is on its way.
const AT_ONCE = 2;

/** Lets few large reads be under way at once: Redis does one after another, and a small read of somebody else waits for all of them. */
export class LargeReads {
  private readonly waiting = new TenantLines<() => void>();
  private running = 0;

  /** Runs a read of a tenant when it is its turn. */
  async run<T>(tenant: string, read: () => Promise<T>): Promise<T> {
    if (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(tenant, resolve));
    else this.running += 1;
    try {
      return await read();
    } finally {
      // Its place goes to the next one.
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

/** The large reads of all calls of this process. */
export const largeReads = new LargeReads();
