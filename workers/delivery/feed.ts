import type { Webhook } from '../../src/directory/collections.ts';
import { Problem } from '../../src/problem.ts';
import type { WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { readUpdates, type UpdateBatch } from '../../src/updates/read-updates.ts';
import { filterUpdates } from '../../src/updates/update-filter.ts';
import { QUEUED_MAX } from '../../src/webhooks/bounds.ts';
import { type Delivery, lineOf, newDelivery } from '../../src/webhooks/delivery.ts';
import { lineKey } from '../../src/webhooks/line-keys.ts';
import { appendDeliveries } from './append-deliveries.ts';
import { gapNotice, noteGap } from './report-gap.ts';
import { startLines } from './start-due.ts';

const APPENDED_AT_ONCE = 200;

type Read = { kind: 'batch'; batch: UpdateBatch } | { kind: 'gone'; earliest: string };

/** Reads a workspace's stream for all of its webhooks, which mostly are at the same offset. */
export class Feed {
  private readonly redis: RedisConnection;
  private readonly queue: WebhookQueue;
  private readonly workspaceId: string;
  private readonly yieldPermit: () => Promise<void>;
  private last: { offset: string; read: Promise<Read> } | null = null;

  /** `yieldPermit` lets other jobs run between the parts. */
  constructor(
    redis: RedisConnection,
    queue: WebhookQueue,
    workspaceId: string,
    yieldPermit: () => Promise<void>,
  ) {
    this.redis = redis;
    this.queue = queue;
    this.workspaceId = workspaceId;
    this.yieldPermit = yieldPermit;
  }

  /** Puts the updates after a webhook's position into its lines, until there are no more or enough are queued. */
  async fill(webhook: Webhook): Promise<void> {
    const wants = filterUpdates(webhook.messengerAccountIds, webhook.kinds);
    for (;;) {
      await this.yieldPermit();
      const position = await this.redis.hget(lineKey(webhook, 'state'), 'position');
      const queued = await this.redis.zcard(lineKey(webhook, 'log:queued'));
      if (position === null || queued >= QUEUED_MAX) return;
      const read = await this.read(position);
      if (read.kind === 'gone') {
        await this.queueGapNotice(webhook, position, read.earliest);
        continue;
      }
      const { entries, next } = read.batch;
      if (next === position) return;
      if (!(await this.append(webhook, position, entries.filter(wants).map(newDelivery), next))) return;
      if (read.batch.upToDate) return;
    }
  }

  private read(offset: string): Promise<Read> {
    if (this.last?.offset === offset) return this.last.read;
    const read = readUpdates(this.redis, this.workspaceId, { offset }).then(
      (batch): Read => ({ kind: 'batch', batch }),
      (error: unknown): Read => {
        if (!(error instanceof Problem && error.code === 'offset_gone')) throw error;
        return { kind: 'gone', earliest: String(error.options.members?.earliestOffset) };
      },
    );
    this.last = { offset, read };
    return read;
  }

  // The position moves with each part. If another worker has moved it, that worker does the rest.
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
      if (!(await appendDeliveries(this.redis, webhook, { from, to }, part))) return false;
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
