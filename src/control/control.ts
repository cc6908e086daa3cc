import type { Config } from '../config.ts';
import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { CONTROL_VERSION, PAUSES, SETTINGS } from './change-control.ts';
import { type Pause, Pauses } from './pauses.ts';
import { LiveConfig, type Settings } from './settings.ts';

const POLL_MS = 500;

/**
 * Pauses and settings that operators have changed at run time. Every process follows within half a second by polling a version; messages
 * could be lost.
 */
export class Control {
  readonly pauses = new Pauses();
  readonly live: LiveConfig;
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private version: string | null = null;
  private settings: Settings = {};
  private refreshing: Promise<void> = Promise.resolve();
  private polling: Repeated | undefined;

  /** `config` is updated with the settings that operators change. */
  constructor(redis: RedisConnection, log: Logger, config: Config) {
    this.redis = redis;
    this.log = log;
    this.live = new LiveConfig(config);
  }

  /** The number of resumes. */
  get round(): number {
    return Number(this.version?.split(' ')[0] ?? 0);
  }

  /** Reads the current state, and follows changes. */
  async start(): Promise<void> {
    await this.refresh();
    this.polling = every(POLL_MS, () => this.refresh(), {
      onFailure: (err) => this.log.warn({ err }, 'what operators have changed was not read; trying again'),
    });
  }

  /** Applies what has changed. */
  refresh(): Promise<void> {
    this.refreshing = this.refreshing.catch(() => undefined).then(() => this.refreshOnce());
    return this.refreshing;
  }

  stop(): void {
    void this.polling?.stop();
  }

  private async refreshOnce(): Promise<void> {
    const version = await this.redis.get(CONTROL_VERSION);
    if (version === this.version) return;
    const [pauses, [settings]] = await Promise.all([this.redis.hvals(PAUSES), this.redis.hvals(SETTINGS)]);
    if (version === null) this.warnOfLostSettings();
    this.version = version;
    this.settings = settings === undefined ? {} : JSON.parse(settings);
    this.live.apply(this.settings);
    this.pauses.replace(pauses.map((text): Pause => JSON.parse(text)));
  }

  private warnOfLostSettings(): void {
    const pauses = this.pauses.targets.map(({ kind, id }) => `${kind} ${id}`);
    const { settings } = this;
    if (pauses.length + Object.keys(settings).length === 0) return;
    this.log.error(
      { pauses, settings },
      'Redis has lost these pauses and settings, and they no longer hold: make them again',
    );
  }
}
