import type { Freshness } from '../../../directory/lookup-cache.ts';
import { readWeights } from '../../../directory/workspace-weights.ts';
import { every, type Repeated } from '../../../every.ts';
import type { RedisConnection } from '../../../redis/connections.ts';
import { backlogsKey } from '../../../redis/keys.ts';
import type { WorkerWatch } from '../worker-watch.ts';
import type { Backlog } from './backlog.ts';
import type { Queued } from './backlog-line.ts';
import {
  addUp,
  countWorkspaces,
  divideWindow,
  type Holdings,
  hasLight,
  permitsPerCallMax,
  windowFor,
} from './divide-window.ts';
import { exchangeScript } from './exchange-script.ts';

const EXCHANGE_MS = 250;
const STATE_TTL_MS = 1_000;
const WEIGHTS_AT_ONCE = 500;

// With more workspaces than this, none has more than a few permits: of the others only the total weight is published.
const PUBLISHED_MAX = 400;

// The weight of the latest quarter of a second in the rate's moving average.
const SMOOTHING = 0.5;

/** What a process publishes to the others: its holdings, and its answers a second, in permits; null while it has got none. */
interface Published extends Holdings {
  answerRate: number | null;
}

export interface WindowSharerOptions {
  redis: RedisConnection;
  processName: string;
  shard: number;
  /** How long cached weights of workspaces are fresh. */
  freshness: Freshness;
  workers: Pick<WorkerWatch, 'count'>;
}

/**
 * Keeps the window, and a backlog's part of it, up to date. While this process holds calls, it publishes its holdings four times a second,
 * reads those of the other processes with the same command, and refreshes the workspaces' weights.
 */
export class WindowSharer {
  private readonly redis: RedisConnection;
  private readonly processName: string;
  private readonly backlog: Backlog<Queued>;
  private readonly key: string;
  private readonly freshness: Freshness;
  private readonly workers: Pick<WorkerWatch, 'count'>;
  private others: Published[] = [];
  private answers = 0;
  private countedAt = performance.now();
  private answerRate: number | null = null;
  private hasPublished = false;
  private sharing: Repeated | undefined;

  constructor(options: WindowSharerOptions, backlog: Backlog<Queued>) {
    this.redis = options.redis;
    this.processName = options.processName;
    this.freshness = options.freshness;
    this.workers = options.workers;
    this.backlog = backlog;
    this.key = backlogsKey(options.shard);
  }

  start(): void {
    this.sharing = every(EXCHANGE_MS, () => this.tick());
  }

  async stop(): Promise<void> {
    await this.sharing?.stop();
    if (this.hasPublished) await this.exchange('').catch(() => undefined);
  }

  /** Counts an answer to a call that was outstanding, by what the call has cost, in permits. */
  noteAnswer(cost: number): void {
    this.answers += cost;
  }

  // Without Redis, the holdings that others published last are used.
  private async tick(): Promise<void> {
    this.measureAnswers();
    this.backlog.costs.decay();
    if (this.backlog.isIdle && !this.hasPublished) return;
    const own = { ...this.backlog.holdings(PUBLISHED_MAX), answerRate: this.answerRate };
    await this.exchangeHoldings(own).catch(() => undefined);
    const all = [own, ...this.others];
    const parties = addUp(all);
    const rates = all.map(({ answerRate }) => answerRate);
    const workers = this.workers.count;
    this.backlog.costs.limit(permitsPerCallMax(workers));
    const window = windowFor(rates, {
      workers,
      costliest: this.backlog.costs.most,
      workspaces: countWorkspaces(parties),
      hasLight: hasLight(parties),
    });
    this.backlog.divide(divideWindow(window, own, parties), window);
    await this.readWeights().catch(() => undefined);
  }

  // An interval without answers says nothing: no call may have been outstanding, or a worker restarts.
  private measureAnswers(): void {
    const now = performance.now();
    if (this.answers > 0) {
      const rate = (this.answers * 1_000) / (now - this.countedAt);
      this.answerRate =
        this.answerRate === null ? rate : this.answerRate + SMOOTHING * (rate - this.answerRate);
    }
    this.answers = 0;
    this.countedAt = now;
  }

  private async exchangeHoldings(own: Published): Promise<void> {
    const found = await this.exchange(this.backlog.isIdle ? '' : encode(own));
    this.others = found.map(decode).filter((holdings) => holdings !== null);
  }

  private async exchange(state: string): Promise<string[]> {
    this.hasPublished = state !== '';
    const args = [this.processName, state, STATE_TTL_MS];
    return (await exchangeScript.run(this.redis, [this.key], args)) as string[];
  }

  private async readWeights(): Promise<void> {
    const now = performance.now();
    const workspaceIds = this.backlog.unweighed((at) => this.freshness.isFresh(at), WEIGHTS_AT_ONCE);
    if (workspaceIds.length === 0) return;
    const weights = await readWeights(this.redis, workspaceIds);
    for (const [index, id] of workspaceIds.entries()) this.backlog.weigh(id, weights[index] ?? 1, now);
  }
}

function encode({ held, restWeight, answerRate }: Published): string {
  const rows = held.map(({ workspaceId, weight, demand }) => [workspaceId, weight, demand]);
  return JSON.stringify({ restWeight, answerRate, held: rows });
}

/** Null for another release's format. */
function decode(text: string): Published | null {
  try {
    const { restWeight, answerRate, held } = JSON.parse(text) as {
      restWeight: number;
      answerRate: number | null;
      held: [string, number, number][];
    };
    return {
      restWeight: Number(restWeight) || 0,
      answerRate: answerRate ?? null,
      held: held.map(([workspaceId, weight, demand]) => ({ workspaceId, weight, demand })),
    };
  } catch {
    return null;
  }
}
