import type { LookupAddress } from 'node:dns';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LaneShares } from '../queue/lane-shares.ts';
import { HostsFile } from './hosts-file.ts';
import { queryAddresses } from './query-addresses.ts';

/** The owner of the webhook whose host is looked up. */
export interface HostAsker {
  organizationId: string;
  workspaceId: string;
}

// A name server that hangs holds a permit until the lookup's time is over.
const PERMITS = 128;

// How many lookups begin in one turn of the event loop: to begin one takes a third of a millisecond.
const BEGUN_AT_ONCE = 4;

/** Looks up the hosts of webhooks. Organizations and workspaces share the permits for concurrent lookups. Each lookup has a time limit. */
export class HostLookups {
  private readonly servers: readonly string[];
  private readonly timeoutMs: number;
  private readonly hosts: HostsFile;
  private readonly shares = new LaneShares<() => void>(PERMITS);
  private readonly running = new Map<string, Promise<LookupAddress[]>>();
  /** How many lookups have begun in this turn of the event loop. */
  private begun = 0;

  /** `servers`, if not empty, are asked instead of the system's. `timeoutMs` bounds a lookup, including its wait for a permit. */
  constructor({
    servers = [],
    timeoutMs,
    hosts = new HostsFile(),
  }: {
    servers?: readonly string[];
    timeoutMs: number;
    hosts?: HostsFile;
  }) {
    this.servers = servers;
    this.timeoutMs = timeoutMs;
    this.hosts = hosts;
  }

  /** The addresses of a host, at least one. Rejects with the code `ENOTFOUND` if it has none, else with the error of the lookup. */
  find(asker: HostAsker, hostname: string): Promise<LookupAddress[]> {
    const key = `${asker.workspaceId} ${hostname}`;
    const running = this.running.get(key);
    if (running !== undefined) return running;
    const found = this.lookUp(asker, key, hostname).finally(() => this.running.delete(key));
    this.running.set(key, found);
    return found;
  }

  private async lookUp(asker: HostAsker, key: string, hostname: string): Promise<LookupAddress[]> {
    const known = await this.hosts.find(hostname);
    if (known.length > 0) return known;
    const tenant = { ...asker, weight: 1 };
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new Error(`the name of the host did not resolve within ${this.timeoutMs} ms`));
    }, this.timeoutMs);
    try {
      await this.untilTurn(tenant, key, late.signal);
      try {
        await this.untilFewBegin();
        return await queryAddresses(hostname, this.servers, late.signal);
      } finally {
        for (const next of this.shares.giveBack(tenant)) next();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  // At most as many as there are permits wait here, so waking all of them each turn is cheap.
  private async untilFewBegin(): Promise<void> {
    while (this.begun >= BEGUN_AT_ONCE) await nextTurn();
    this.begun += 1;
    if (this.begun === 1) setImmediate(() => (this.begun = 0));
  }

  private untilTurn(tenant: HostAsker & { weight: number }, key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.shares.forget(tenant.workspaceId, key);
        reject(signal.reason);
      };
      const attempt = () => {
        if (!this.shares.take(tenant, key, attempt)) return;
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      attempt();
    });
  }
}
