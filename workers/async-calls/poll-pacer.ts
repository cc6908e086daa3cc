import type { Tenant } from '../../src/queue/lane-shares.ts';
import { ASYNC_POLL_MAX_MS } from '../../src/queue/queues.ts';

// A poll takes some 0.3 ms each of Redis and of the worker, and mostly finds that nothing has changed.
const POLL_EVERY_MS = 5;
// While the worker or Redis is busy, it could not do as many: calls of others would wait behind them on the queue. So there are fewer, of
// which this many go on at a time. After Redis was away, that would be hardly any.
const POLLS_AT_ONCE = 8;
const POLL_EVERY_MAX_MS = 25;
const POLL_SOON_MS = 400;
// To look through all workspaces at each poll would take too long. Those that share the polls for a little longer make hardly a difference.
const FORGET_EVERY_MS = 100;

/**
 * Decides when calls that wait for a slot, or for a process of their own, ask again. However many wait, this process makes at most some
 * 200 polls a second, or, if that is more, one of each call in two minutes. Organizations share them, and so do the workspaces of each:
 * where few calls wait, each asks again after 0.2 to 0.4 s.
 */
export class PollPacer {
  /** By organization and workspace: until when the calls of the workspace have used its share. */
  private readonly usedUntil = new Map<string, Map<string, number>>();
  private forgotAt = Number.NEGATIVE_INFINITY;

  /** In how many ms a call of a workspace may ask again. */
  pauseMs({ organizationId, workspaceId }: Tenant): number {
    const until = this.usedUntil.get(organizationId)?.get(workspaceId) ?? 0;
    const most = Math.max(until - performance.now(), POLL_SOON_MS);
    return most * (0.5 + Math.random() / 2);
  }

  /** Counts a poll of a workspace's call that took `tookMs` and was in vain. */
  count({ organizationId, workspaceId }: Tenant, tookMs: number): void {
    const now = performance.now();
    this.forgetUnused(now);
    const workspaces = this.usedUntil.get(organizationId) ?? new Map<string, number>();
    this.usedUntil.set(organizationId, workspaces);
    const until = Math.max(workspaces.get(workspaceId) ?? 0, now);
    workspaces.set(workspaceId, until);
    const sharing = this.usedUntil.size * workspaces.size;
    const everyMs = Math.min(Math.max(tookMs / POLLS_AT_ONCE, POLL_EVERY_MS), POLL_EVERY_MAX_MS);
    workspaces.set(workspaceId, Math.min(until + everyMs * sharing, now + ASYNC_POLL_MAX_MS));
  }

  private forgetUnused(now: number): void {
    if (now - this.forgotAt < FORGET_EVERY_MS) return;
    this.forgotAt = now;
    for (const [organizationId, workspaces] of this.usedUntil) {
      for (const [workspaceId, until] of workspaces) if (until <= now) workspaces.delete(workspaceId);
      if (workspaces.size === 0) this.usedUntil.delete(organizationId);
    }
  }
}
