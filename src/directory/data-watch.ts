import { randomBytes } from 'node:crypto';
import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import { isCluster, onePerMaster, type RedisConnection } from '../redis/connections.ts';
import { keepFirst } from '../redis/keep-first.ts';
import { epochKeys } from '../redis/keys.ts';

const POLL_MS = 500;
// Long enough for a monitor that reads `/readyz` twice a minute.
const REPORTED_FOR_MS = 30_000;

/** Writes something to Redis now, and again whenever Redis has lost its data. */
export type Publish = (what: () => Promise<unknown>) => Promise<void>;

/**
 * Notices that Redis has lost its data: it was flushed, restarted without its file, or replaced by an empty replica. Each server holds
 * a random epoch that is written once. If the epoch has changed or is gone, the server's data are gone.
 */
export class DataWatch {
  private readonly redis: RedisConnection;
  private readonly clock: { now(): number };
  private readonly log: Logger;
  /** What is published, and after how many losses it was last. */
  private readonly published: { what: () => Promise<unknown>; losses: number }[] = [];
  /** By key. */
  private epochs = new Map<string, string>();
  private lostAt = Number.NEGATIVE_INFINITY;
  private lossCount = 0;
  private publishing: Promise<void> | null = null;
  private loggedFailure: string | null = null;
  private checking: Promise<void> | null = null;
  private watching: Repeated | undefined;

  constructor(redis: RedisConnection, clock: { now(): number }, log: Logger) {
    this.redis = redis;
    this.clock = clock;
    this.log = log;
  }

  /** Reads the epochs that later ones are compared with, and starts to watch. */
  async start(): Promise<void> {
    this.epochs = await this.readEpochs(epochKeys(isCluster(this.redis)));
    this.watching = every(POLL_MS, () => this.check(), {
      onFailure: (err) =>
        this.log.warn({ err }, 'Redis did not say whether it has lost its data; asking again'),
    });
  }

  stop(): void {
    void this.watching?.stop();
  }

  /** How often data were lost since this process began. */
  get losses(): number {
    return this.lossCount;
  }

  /** Whether data were lost in the last half minute, or not everything has been published again since. */
  get isReported(): boolean {
    return this.unpublished.length > 0 || this.clock.now() < this.lostAt + REPORTED_FOR_MS;
  }

  readonly publish: Publish = async (what) => {
    // First, so that a loss right after the write is noticed for it too.
    this.published.push({ what, losses: this.lossCount });
    await what();
  };

  /** Whether data were lost after `moment` (ms since the epoch, Redis' clock). Also true if Redis cannot be asked. */
  async isLostSince(moment: number): Promise<boolean> {
    if (this.lostAt >= moment) return true;
    // A check in progress may have read the epochs before the loss.
    await this.checking?.catch(() => undefined);
    const isKnown = await this.check().then(
      () => true,
      () => false,
    );
    return !isKnown || this.lostAt >= moment;
  }

  private check(): Promise<void> {
    this.checking ??= this.checkOnce().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  private async checkOnce(): Promise<void> {
    const keys = epochKeys(isCluster(this.redis));
    const found = await this.readEpochs(onePerMaster(this.redis, keys));
    if ([...found].some(([key, epoch]) => epoch !== this.epochs.get(key))) {
      this.epochs = await this.readEpochs(keys);
      this.lostAt = this.clock.now();
      this.lossCount += 1;
      this.log.error('Redis has lost its data: only a backup has them');
    }
    if (this.unpublished.length > 0)
      this.publishing ??= this.publishAgain().finally(() => {
        this.publishing = null;
      });
  }

  /** What has not been published since the last loss. */
  private get unpublished(): typeof this.published {
    return this.published.filter(({ losses }) => losses < this.lossCount);
  }

  // A failure is tried again at the next check, without what has succeeded.
  private async publishAgain(): Promise<void> {
    const losses = this.lossCount;
    const publish = async (one: (typeof this.published)[number]) => {
      await one.what();
      one.losses = losses;
    };
    const failures = (await Promise.allSettled(this.unpublished.map(publish))).filter(
      (result) => result.status === 'rejected',
    );
    const err: unknown = failures[0]?.reason;
    // Once: a failure may last until an operator acts.
    if (failures.length > 0 && String(err) !== this.loggedFailure)
      this.log.error({ err }, 'not everything could be published again; trying again');
    this.loggedFailure = failures.length > 0 ? String(err) : null;
  }

  // The first process to find no epoch writes one.
  private async readEpochs(keys: { key: string }[]): Promise<Map<string, string>> {
    const read = async (key: string) =>
      [key, await keepFirst(this.redis, key, randomBytes(12).toString('base64url'))] as const;
    return new Map(await Promise.all(keys.map(({ key }) => read(key))));
  }
}
