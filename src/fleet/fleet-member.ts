import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { isAskedToDrain } from './drain.ts';
import type { ApiFigures, WorkerFigures } from './figures.ts';
import { leaveFleet, publishFigures } from './fleet.ts';

/** How often a process publishes its figures. */
export const PUBLISH_MS = 1_000;

/** Publishes the figures of this process once a second. */
export class FleetMember {
  private readonly options: FleetMemberOptions;
  private publishing: Repeated | undefined;
  private isAsked = false;

  constructor(options: FleetMemberOptions) {
    this.options = options;
  }

  start(): void {
    const { log } = this.options;
    this.publishing = every(PUBLISH_MS, () => this.publishAndListen(), {
      atOnce: true,
      onFailure: (err) => log.warn({ err }, 'this process could not publish its figures; trying again'),
    });
  }

  /** Publishes the figures now, for example when the process begins to drain. Rejects if Redis cannot be asked. */
  async publish(): Promise<void> {
    const { redis, name, figures } = this.options;
    await publishFigures(redis, name, figures());
  }

  private async publishAndListen(): Promise<void> {
    const { redis, name, onDrain } = this.options;
    await this.publish();
    if (onDrain === undefined || this.isAsked || !(await isAskedToDrain(redis, name))) return;
    this.isAsked = true;
    onDrain();
  }

  async stop(): Promise<void> {
    await this.publishing?.stop();
    await leaveFleet(this.options.redis, this.options.name).catch(() => undefined);
  }
}

interface FleetMemberOptions {
  redis: RedisConnection;
  name: string;
  /** Called at each publication, about once a second. */
  figures: () => WorkerFigures | ApiFigures;
  log: Logger;
  /** Called once when an operator has asked this process to end. */
  onDrain?: () => void;
}
