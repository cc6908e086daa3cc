import { isWorkspaceFull } from '../../src/bytes/byte-budget.ts';
import type { Webhook } from '../../src/directory/collections.ts';
import { findRecord } from '../../src/directory/records.ts';
import { timeOfId } from '../../src/ids.ts';
import { Problem } from '../../src/problem.ts';
import type { WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { offsetAt } from '../../src/updates/offset.ts';
import { readUpdates, type UpdateBatch } from '../../src/updates/read-updates.ts';
import { readUpdatesPage } from '../../src/updates/read-updates-page.ts';
import { filterUpdates } from '../../src/updates/update-filter.ts';
import { QUEUED_MAX } from '../../src/webhooks/bounds.ts';
import { type Delivery, lineOf, newDelivery } from '../../src/webhooks/delivery.ts';
import { eraseLines, lineKey } from '../../src/webhooks/line-keys.ts';
import { appendDeliveries } from './append-deliveries.ts';
import { FullFeeds } from './full-feeds.ts';
import { gapNotice, noteGap } from './report-gap.ts';
import { startLines } from './start-due.ts';
import { listEnabledWebhooks } from './workspace-webhooks.ts';

const APPENDED_AT_ONCE = 200;

/** What follows an offset, and the webhooks to which it goes, by id: those that are enabled after it was read. */
type Read = { webhooks: ReadonlyMap<string, Webhook> } & Found;

type Found = { kind: 'batch'; batch: UpdateBatch } | { kind: 'gone'; earliest: string };

/** Reads a workspace's stream for all of its webhooks, which mostly are at the same offset. */
export class Feed {
  private readonly redis: RedisConnection;
  private readonly queue: WebhookQueue;
  private readonly workspaceId: string;
  private readonly yieldPermit: () => Promise<void>;
  private readonly full: FullFeeds;
  private last: { offset: string; read: Promise<Read> } | null = null;

  /** `yieldPermit` lets other jobs run between the parts; `full` is that of the process. */
  constructor(
    redis: RedisConnection,
    queue: WebhookQueue,
    workspaceId: string,
    yieldPermit: () => Promise<void>,
    full = new FullFeeds(),
  ) {
    this.redis = redis;
    this.queue = queue;
    this.workspaceId = workspaceId;
    this.yieldPermit = yieldPermit;
    this.full = full;
  }

  /**
   * Puts the updates after the webhooks' positions into their lines, until there are no more, enough are queued or the workspace is full.
   * Each has a page in turn, so that none waits for the backlog of another.
   */
  async fill(...webhooks: Webhook[]): Promise<void> {
    for (let behind = webhooks; behind.length > 0; ) {
      const rest: Webhook[] = [];
      for (const webhook of behind) if (await this.fillPage(webhook)) rest.push(webhook);
      behind = rest;
    }
  }

  /** Returns whether there may be more that can be queued. */
  private async fillPage(known: Webhook): Promise<boolean> {
    await this.yieldPermit();
    const position =
      (await this.redis.hget(lineKey(known, 'state'), 'position')) ?? (await this.restore(known));
    const queued = await this.redis.zcard(lineKey(known, 'log:queued'));
    if (position === null) {
      this.full.forget(known.id);
      return false;
    }
    if (queued >= QUEUED_MAX || (await this.isStillFull(known, position))) return false;
    const read = await this.read(position);
    const webhook = read.webhooks.get(known.id);
    if (webhook === undefined) return false;
    if (read.kind === 'gone') {
      // Once there is room, one notice tells of all that was trimmed until then.
      if (await isWorkspaceFull(this.redis, this.workspaceId)) return false;
      await this.queueGapNotice(webhook, position, read.earliest);
      return true;
    }
    const { entries, next, upToDate } = read.batch;
    const wants = filterUpdates(webhook.messengerAccountIds, webhook.kinds);
    const isAppended = await this.append(webhook, position, entries.filter(wants).map(newDelivery), next);
    return isAppended && !upToDate;
  }

  // Redis may have lost the position in a failover, while the record, which is on another master of the cluster, is there. Then all is sent
  // that came since the webhook was created and is still held: no later position is known to have been reached.
  private async restore(webhook: Webhook): Promise<string | null> {
    const state = lineKey(webhook, 'state');
    await this.redis.hsetnx(state, 'position', offsetAt(timeOfId(webhook.id)));
    // Its deletion may have erased the lines just before.
    if ((await findRecord(this.redis, 'webhooks', webhook.id)) === null)
      await eraseLines(this.redis, webhook);
    return this.redis.hget(state, 'position');
  }

  private async isStillFull(webhook: Webhook, position: string): Promise<boolean> {
    if (!this.full.has(webhook, position)) return false;
    if (await isWorkspaceFull(this.redis, this.workspaceId)) return true;
    this.full.forget(webhook.id);
    return false;
  }

  private read(offset: string): Promise<Read> {
    if (this.last?.offset !== offset) this.last = { offset, read: this.readOnce(offset) };
    return this.last.read;
  }

  // The records behind the updates, so that a changed filter holds for all that come after the change.
  private async readOnce(offset: string): Promise<Read> {
    const found = await this.find(offset);
    const isNew = found.kind === 'gone' || found.batch.next !== offset;
    const enabled = isNew ? await listEnabledWebhooks(this.redis, this.workspaceId) : [];
    return { ...found, webhooks: new Map(enabled.map((webhook) => [webhook.id, webhook])) };
  }

  private async find(offset: string): Promise<Found> {
    try {
      return { kind: 'batch', batch: await readUpdatesPage(this.redis, this.workspaceId, { offset }) };
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'offset_gone')) throw error;
      return { kind: 'gone', earliest: String(error.options.members?.earliestOffset) };
    }
  }

  // The position moves with each part. If another worker has moved it, that worker does the rest. If the workspace is full, the rest waits
  // in the stream until a sweep finds room.
  private async append(
    webhook: Webhook,
    position: string,
    deliveries: Delivery[],
    end: string,
  ): Promise<boolean> {
    for (let from = position, at = 0; ; at += APPENDED_AT_ONCE) {
      const part = deliveries.slice(at, at + APPENDED_AT_ONCE);
      const isLast = at + APPENDED_AT_ONCE >= deliveries.length;
      const to = isLast ? end : (part.at(-1) as Delivery).offset;
      if (!(await appendDeliveries(this.redis, webhook, { from, to }, part))) {
        // Or another worker has moved the position: then this one does not come again.
        this.full.note(webhook, from);
        return false;
      }
      from = to;
      // More jobs than there are leases would only retry again and again.
      await startLines(this.redis, this.queue, webhook, [...new Set(part.map(lineOf))]);
      if (isLast) return true;
      await this.yieldPermit();
    }
  }

  // A failover may leave a position beyond the end of the stream: it then continues at the current end.
  private async queueGapNotice(webhook: Webhook, from: string, earliest: string): Promise<void> {
    const isBeyond = earliest <= from;
    const to = isBeyond ? (await readUpdates(this.redis, this.workspaceId, 'end')).next : earliest;
    await noteGap(this.redis, webhook, { from, to });
    await this.append(webhook, from, [gapNotice(webhook, { from, to })], to);
  }
}
