import { Problem } from '../../problem.ts';

const RETRY_AFTER_SECONDS = '1';

/** Runs at most one task per name at a time in this process. A task counts until it ends, even if its caller is gone. */
export class OneAtATime {
  private readonly busy = new Set<string>();

  /**
   * Runs the task, or rejects with `rate_limited` while one of that name runs. The name must belong to one tenant, such as the id
   * of its account, so that no tenant can block another.
   */
  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    if (this.busy.has(name)) {
      throw new Problem('rate_limited', {
        detail: 'Another such request is already under way: wait until it has ended.',
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
      });
    }
    this.busy.add(name);
    try {
      return await task();
    } finally {
      this.busy.delete(name);
    }
  }
}
