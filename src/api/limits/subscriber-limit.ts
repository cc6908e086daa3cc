import type { Config } from '../../config.ts';
import type { Principal } from '../../directory/principal.ts';
import { Problem } from '../../problem.ts';

const RETRY_AFTER_SECONDS = '5';

// An organization can create many keys, so a bound per key alone bounds nothing.
const ORGANIZATION_FACTOR = 2;

/** Bounds the live reads and waits in this process: of each API key, and of all keys of an organization together. */
export class SubscriberLimit {
  private readonly config: Pick<Config, 'SUBSCRIBERS_PER_KEY'>;
  private readonly counts = new Map<string, number>();

  /** The setting is per key; the keys of an organization have twice as many together. */
  constructor(config: Pick<Config, 'SUBSCRIBERS_PER_KEY'>) {
    this.config = config;
  }

  /** Counts a live read or wait, or throws `rate_limited`. The function it returns ends it. */
  take(principal: Principal): () => void {
    const key = principal.kind === 'root' ? 'root' : principal.keyId;
    const holders = principal.kind === 'root' ? [key] : [key, principal.organizationId];
    const { SUBSCRIBERS_PER_KEY: perKey } = this.config;
    for (const holder of holders) {
      const max = holder === key ? perKey : ORGANIZATION_FACTOR * perKey;
      if ((this.counts.get(holder) ?? 0) >= max)
        throw refusal(holder === key ? 'This API key' : 'The organization', max);
    }
    for (const holder of holders) this.add(holder, 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const holder of holders) this.add(holder, -1);
    };
  }

  private add(holder: string, count: number): void {
    const left = (this.counts.get(holder) ?? 0) + count;
    if (left > 0) this.counts.set(holder, left);
    else this.counts.delete(holder);
  }
}

function refusal(who: string, max: number): Problem {
  return new Problem('rate_limited', {
    detail: `${who} has ${max} live reads and waits open at this API process, the most it may have: close some first.`,
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
