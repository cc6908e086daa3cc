import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../src/logger.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { forgetDeleted, takeDeleted } from '../src/store/deleted-workspaces.ts';
import { eraseWorkspace } from '../src/store/erase-workspace.ts';
import { findRecord } from '../src/store/records.ts';

const EVERY_MS = 10_000;
const AT_ONCE = 10;
const LEASE_MS = 10 * 60_000;

/**
 * Removes what is left of deleted workspaces: what calls that were under way then have written since, and all of it where the API
 * process that was about to do so has ended. Any number of processes may do so.
 */
export class WorkspaceEraser {
  private readonly redis: RedisConnection;
  private readonly log: Logger;
  private readonly stopping = new AbortController();

  constructor(redis: RedisConnection, log: Logger) {
    this.redis = redis;
    this.log = log;
  }

  /** Begins to look for such workspaces; it goes on until `stop`. */
  start({ everyMs = EVERY_MS } = {}): void {
    void this.keepErasing(everyMs);
  }

  stop(): void {
    this.stopping.abort();
  }

  private async keepErasing(everyMs: number): Promise<void> {
    const { signal } = this.stopping;
    const spread = 0.8 + Math.random() * 0.4;
    for (;;) {
      await sleep(everyMs * spread, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.eraseDue().catch((err) => {
        if (!signal.aborted) this.log.warn({ err }, 'deleted workspaces were not erased; trying again later');
      });
    }
  }

  private async eraseDue(): Promise<void> {
    for (const id of await takeDeleted(this.redis, AT_ONCE, LEASE_MS)) {
      if (this.stopping.signal.aborted) return;
      // One that could not be deleted then is there still.
      if ((await findRecord(this.redis, 'workspaces', id)) === null) await eraseWorkspace(this.redis, id);
      await forgetDeleted(this.redis, id);
    }
  }
}
