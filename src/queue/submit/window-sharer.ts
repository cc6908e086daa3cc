import type { Freshness } from '../../directory/lookup-cache.ts';
import { readWeights } from '../../directory/workspace-weights.ts';
import { every, type Repeated } from '../../every.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { backlogsKey } from '../../redis/keys.ts';
import type { Backlog } from './backlog.ts';
import type { Queued } from './backlog-line.ts';
import { divideWindow, type Holdings } from './divide-window.ts';
import { exchangeScript } from './exchange-script.ts';

const EXCHANGE_MS = 250;
const GOOD_FOR_MS = 1_000;
const WEIGHTS_AT_ONCE = 500;

// Beyond as many workspaces none has more than a few permits, and only their weight counts.
const TOLD_MAX = 400;

export interface WindowSharerOptions {
  redis: RedisConnection;
  processName: string;
  shard: number;
  /** For how long the weights of workspaces hold. */
  freshness: Freshness;
}

/**
 * Keeps a backlog's part of the window right: while this process holds calls it tells the others so four times a second, hears
 * of theirs with the same command, and looks at the workspaces' weights.
 */
export class WindowSharer {
  private readonly redis: RedisConnection;
  private readonly processName: string;
  private readonly backlog: Backlog<Queued>;
  private readonly key: string;
  private readonly freshness: Freshness;
  private others: Holdings[] = [];
  private hasTold = false;
  private sharing: Repeated | undefined;

  constructor(options: WindowSharerOptions, backlog: Backlog<Queued>) {
    this.redis = options.redis;
    this.processName = options.processName;
    this.freshness = options.freshness;
    this.backlog = backlog;
    this.key = backlogsKey(options.shard);
  }

  start(): void {
    this.sharing = every(EXCHANGE_MS, () => this.tick());
  }

  async stop(): Promise<void> {
    await this.sharing?.stop();
    if (this.hasTold) await this.exchange('').catch(() => undefined);
  }

  // Without Redis each process goes on with what it knew.
  private async tick(): Promise<void> {
    if (this.backlog.isIdle && !this.hasTold) return;
    const own = this.backlog.holdings(TOLD_MAX);
    await this.hearOthers(own).catch(() => undefined);
    this.backlog.divide(divideWindow(this.backlog.window, own, this.others));
    await this.readWeights().catch(() => undefined);
  }

  private async hearOthers(own: Holdings): Promise<void> {
    const said = await this.exchange(this.backlog.isIdle ? '' : encode(own));
    this.others = said.map(decode).filter((holdings) => holdings !== null);
  }

  private async exchange(said: string): Promise<string[]> {
    this.hasTold = said !== '';
    const args = [this.processName, said, GOOD_FOR_MS];
    return (await exchangeScript.run(this.redis, [this.key], args)) as string[];
  }

  private async readWeights(): Promise<void> {
    const now = performance.now();
    const workspaceIds = this.backlog.unweighed((at) => this.freshness.covers(at), WEIGHTS_AT_ONCE);
    if (workspaceIds.length === 0) return;
    const weights = await readWeights(this.redis, workspaceIds);
    for (const [index, id] of workspaceIds.entries()) this.backlog.weigh(id, weights[index] ?? 1, now);
  }
}

function encode({ held, restWeight }: Holdings): string {
  return JSON.stringify([restWeight, ...held.map((one) => [one.workspaceId, one.weight, one.demand])]);
}

/** Null for what another release says in words of its own. */
function decode(text: string): Holdings | null {
  try {
    const [restWeight, ...held] = JSON.parse(text) as [number, ...[string, number, number][]];
    return {
      restWeight,
      held: held.map(([workspaceId, weight, demand]) => ({ workspaceId, weight, demand })),
    };
  } catch {
    return null;
  }
}
