import { Problem } from '../../problem.ts';

const RETRY_AFTER_SECONDS = '1';

/** Lets one piece of work of a name be under way in this process, also when nobody waits for it any more. */
export class OneAtATime {
  private readonly busy = new Set<string>();

  /** Does it, or rejects with `rate_limited` while one of that name is under way. Who asks must be known to belong to the name. */
  async run<T>(name: string, act: () => Promise<T>): Promise<T> {
    if (this.busy.has(name)) {
      throw new Problem('rate_limited', {
        detail: 'The same is being done already; wait for its end.',
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
      });
    }
    this.busy.add(name);
    try {
      return await act();
    } finally {
      this.busy.delete(name);
    }
  }
}
