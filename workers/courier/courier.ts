import type { Webhook } from '../../src/directory/collections.ts';
import { findRecord, patchRecord } from '../../src/directory/records.ts';
import type { SecretBox } from '../../src/directory/secret-box.ts';
import type { Tenants } from '../../src/directory/tenants.ts';
import type { Logger } from '../../src/logger.ts';
import { LaneShares } from '../../src/queue/lane-shares.ts';
import type { WebhookHandlers, WebhookJob, WebhookQueue } from '../../src/queue/webhook-queue.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { type Delivery, PING, withAttempt } from '../../src/webhooks/delivery.ts';
import { findDelivery } from '../../src/webhooks/find-delivery.ts';
import { lineKey } from '../../src/webhooks/line-keys.ts';
import { findNextDelivery } from '../../src/webhooks/next-delivery.ts';
import { countWaiting, leavePlace, takePlace, type Waiting } from '../../src/webhooks/places.ts';
import { nextAttemptAt, RETRY_DELAYS } from '../../src/webhooks/schedule.ts';
import { type Fate, type Settled, settleDelivery } from '../../src/webhooks/settle-delivery.ts';
import { releaseAside, releaseLines, surveyLines } from '../../src/webhooks/survey-lines.ts';
import { listWorkspaceWebhooks } from '../../src/webhooks/workspace-webhooks.ts';
import { type Attempted, attemptDelivery } from './attempt.ts';
import type { CourierMetrics } from './courier-metrics.ts';
import { Feed } from './feed.ts';
import type { Poster } from './post.ts';

export interface CourierOptions {
  redis: RedisConnection;
  queue: WebhookQueue;
  tenants: Tenants;
  box: SecretBox;
  poster: Poster;
  metrics: CourierMetrics;
  log: Logger;
  /** How long after each failed attempt the next one follows, in ms; the schedule of Standard Webhooks by default. */
  retryDelays?: readonly number[];
  /** How long nothing may get through before a webhook is disabled. */
  failingMaxMs?: number;
}

type JobOf<What> = Extract<WebhookJob, { what: What }>;

const FAILING_MAX_MS = 5 * 24 * 3_600_000;
const FAILURES_MIN = 10;

// A place is held for longer than an attempt may take, and lost soon when its worker dies.
const PLACE_MS = 20_000;
const CROWD_WAIT_MS = 2_000;
// Each that waits is woken in its turn; many must not all come again and again by themselves.
const CROWD_WAIT_EACH_MS = 20;
/** Who waits for a place comes again within that time. */
export const CROWD_WAIT_MAX_MS = 10_000;

// Of this process, for deliveries: most of their time is spent on waiting for receivers.
const PERMITS = 128;

// After that others that wait for a place have their turn.
const TURN_MS = 3_000;
const HURRIED_AT_ONCE = 50;

/** Carries what is on the update streams to webhooks: everything it knows is in Redis, so any worker can go on. */
export class Courier implements WebhookHandlers {
  private readonly options: Required<CourierOptions>;
  private readonly shares = new LaneShares<WebhookJob>(PERMITS);
  private stopping = false;

  constructor(options: CourierOptions) {
    this.options = { retryDelays: RETRY_DELAYS, failingMaxMs: FAILING_MAX_MS, ...options };
  }

  /** How many jobs to take at once. */
  get concurrency(): number {
    return this.shares.concurrency;
  }

  /** Begins nothing new; what is being sent is finished. */
  stop(): void {
    this.stopping = true;
  }

  async run(job: WebhookJob): Promise<void> {
    if (this.stopping) return;
    if (job.what === 'feed') return this.feed(job);
    if (job.what === 'wake') return this.wake(job);
    const tenant = await this.options.tenants.find(job.workspaceId);
    if (!this.shares.take(tenant, nameOf(job), job)) return;
    try {
      await this.deliver(job);
    } finally {
      const woken = this.shares.leave(tenant);
      await Promise.all(woken.map((each) => this.options.queue.hurry(each)));
    }
  }

  private async deliver(job: JobOf<'line' | 'delivery'>): Promise<void> {
    const name = job.what === 'line' ? job.line : job.deliveryId;
    const owner = { id: job.webhookId, workspaceId: job.workspaceId };
    const { redis, queue } = this.options;
    if (!(await takePlace(redis, owner, name, PLACE_MS))) return;
    try {
      await (job.what === 'line' ? this.sendLine(job) : this.sendAside(job));
    } finally {
      const waiting = await leavePlace(redis, owner, name);
      await Promise.all(waiting.map((each) => queue.hurry(jobOf(job.workspaceId, each))));
    }
  }

  async next(job: WebhookJob): Promise<number | null> {
    const { redis } = this.options;
    if (job.what === 'wake') return null;
    if (job.what === 'feed') {
      const surveys = (await this.enabledIn(job.workspaceId)).map((each) => surveyLines(redis, each));
      return (await Promise.all(surveys)).some(({ isBehind }) => isBehind) ? 0 : null;
    }
    const webhook = await findRecord(redis, 'webhooks', job.webhookId);
    if (webhook === null) return null;
    const name = job.what === 'line' ? job.line : job.deliveryId;
    const crowd = this.shares.isWaiting(job.workspaceId, nameOf(job))
      ? this.shares.waiting
      : await countWaiting(redis, webhook, name);
    const due =
      job.what === 'line' ? await this.lineDue(webhook, job.line) : await this.asideDue(webhook, job);
    if (due === null) return null;
    const wait = Math.max(0, due - Date.now());
    return crowd === 0
      ? wait
      : Math.max(wait, CROWD_WAIT_MS, Math.min(crowd * CROWD_WAIT_EACH_MS, CROWD_WAIT_MAX_MS));
  }

  private async lineDue(webhook: Webhook, line: string): Promise<number | null> {
    if (webhook.status === 'disabled') return null;
    const head = await findNextDelivery(this.options.redis, webhook, line);
    return head === null ? null : Math.max(head.heldUntil, head.pausedUntil);
  }

  private async asideDue(webhook: Webhook, { deliveryId }: JobOf<'delivery'>): Promise<number | null> {
    const due = await this.options.redis.zscore(lineKey(webhook, 'aside'), deliveryId);
    if (due === null) return null;
    const { kind } = (await findDelivery(this.options.redis, webhook, deliveryId)) ?? {};
    return webhook.status === 'enabled' || kind === PING ? Number(due) : null;
  }

  private async enabledIn(workspaceId: string): Promise<Webhook[]> {
    const webhooks = await listWorkspaceWebhooks(this.options.redis, workspaceId);
    return webhooks.filter(({ status }) => status === 'enabled');
  }

  private async feed({ workspaceId }: JobOf<'feed'>): Promise<void> {
    const feed = new Feed(this.options.redis, this.options.queue, workspaceId);
    for (const webhook of await this.enabledIn(workspaceId)) await feed.fill(webhook);
  }

  private async wake({ webhookId, workspaceId }: JobOf<'wake'>): Promise<void> {
    const { redis, queue } = this.options;
    const webhook = await findRecord(redis, 'webhooks', webhookId);
    if (webhook === null || webhook.status === 'disabled') return;
    const held = await redis.zrange(lineKey(webhook, 'holds'), '0', '-1');
    await releaseLines(redis, webhook);
    const { lines, aside } = await surveyLines(redis, webhook);
    const jobs: WebhookJob[] = [
      { what: 'feed', workspaceId },
      ...[...new Set([...held, ...lines])].map(
        (line) => ({ what: 'line', workspaceId, webhookId, line }) as const,
      ),
      ...aside.map((deliveryId) => ({ what: 'delivery', workspaceId, webhookId, deliveryId }) as const),
    ];
    for (let at = 0; at < jobs.length; at += HURRIED_AT_ONCE) {
      await Promise.all(jobs.slice(at, at + HURRIED_AT_ONCE).map((each) => queue.hurry(each)));
    }
  }

  private async sendLine({ webhookId, workspaceId, line }: JobOf<'line'>): Promise<void> {
    const { redis } = this.options;
    const turnEnds = performance.now() + TURN_MS;
    while (!this.stopping && performance.now() < turnEnds) {
      const webhook = await findRecord(redis, 'webhooks', webhookId);
      if (webhook === null || webhook.status === 'disabled') return;
      const head = await findNextDelivery(redis, webhook, line);
      // A line may be looked at because something was added to it, which is no reason to try its head sooner.
      if (head === null || Math.max(head.heldUntil, head.pausedUntil) > Date.now()) return;
      await takePlace(redis, { id: webhookId, workspaceId }, line, PLACE_MS);
      if ((await this.send(webhook, head.delivery, true)) !== 'on') return;
    }
  }

  private async sendAside({ webhookId, deliveryId }: JobOf<'delivery'>): Promise<void> {
    const { redis } = this.options;
    const webhook = await findRecord(redis, 'webhooks', webhookId);
    if (webhook === null) return;
    const delivery = await findDelivery(redis, webhook, deliveryId);
    const due = await redis.zscore(lineKey(webhook, 'aside'), deliveryId);
    const isDue = due !== null && Number(due) <= Date.now();
    if (delivery === null || !isDue || (webhook.status === 'disabled' && delivery.kind !== PING)) return;
    await this.send(webhook, delivery, false);
  }

  /** Tries a delivery and records how it went; `on` when its line may go on. */
  private async send(webhook: Webhook, delivery: Delivery, inLine: boolean): Promise<'on' | 'stay'> {
    const { redis, log, metrics } = this.options;
    const at = new Date().toISOString();
    const attempted = await attemptDelivery(this.options, webhook, delivery);
    if (attempted === null) {
      const error = 'the update is no longer held';
      const record = {
        ...delivery,
        attempts: [...delivery.attempts, { at, statusCode: null, durationMs: 0, error }],
      };
      await settleDelivery(redis, webhook, record, { to: 'failed' }, { wasTried: false });
      metrics.deliveries.inc({ status: 'failed' });
      return 'on';
    }
    const { verdict, statusCode, durationMs, error } = attempted;
    metrics.attempts.inc({ verdict });
    const tried = withAttempt(delivery, { at, statusCode, durationMs, error });
    // What an address says that is no longer the webhook's counts for nothing.
    const wasMoved = verdict !== 'taken' && delivery.kind !== PING && (await this.hasMoved(webhook));
    const fate = wasMoved ? dueNow(inLine) : this.fateOf(tried, attempted, inLine);
    const settled = await settleDelivery(redis, webhook, tried, fate, { wasTried: !wasMoved });
    const about = { webhookId: webhook.id, deliveryId: delivery.id, statusCode, durationMs, error };
    log[verdict === 'taken' ? 'debug' : 'info'](about, 'webhook delivery tried');
    if (settled === null) return 'stay';
    if (fate.to === 'succeeded' || fate.to === 'failed') metrics.deliveries.inc({ status: fate.to });
    await this.judge(webhook, verdict, settled, delivery);
    return fate.to === 'held' || verdict === 'gone' ? 'stay' : 'on';
  }

  private async hasMoved({ id, url }: Webhook): Promise<boolean> {
    const found = await findRecord(this.options.redis, 'webhooks', id);
    return found !== null && found.url !== url;
  }

  private fateOf(tried: Delivery, { verdict, retryAfterMs }: Attempted, inLine: boolean): Fate {
    if (verdict === 'taken') return { to: 'succeeded' };
    const now = Date.now();
    const nextAt =
      tried.kind === PING ? null : nextAttemptAt(tried.tries, retryAfterMs, this.options.retryDelays, now);
    // A webhook that is gone is disabled, which loses nothing: it goes on with this one if it is enabled again.
    if (verdict === 'gone' && inLine) return dueNow(inLine);
    if (nextAt === null) return { to: 'failed' };
    if (verdict === 'refused' || !inLine) return { to: 'aside', nextAt };
    return { to: 'held', nextAt, pausedUntil: retryAfterMs === null ? 0 : now + retryAfterMs };
  }

  /** What an attempt means for the webhook as a whole. */
  private async judge(
    webhook: Webhook,
    verdict: Attempted['verdict'],
    { failuresInARow, failingSince, linesWaiting }: Settled,
    { kind }: Delivery,
  ): Promise<void> {
    const { redis, queue, failingMaxMs } = this.options;
    const { id: webhookId, workspaceId } = webhook;
    if (verdict === 'taken') {
      if (kind === PING) await releaseAside(redis, webhook);
      if (linesWaiting > 0 || kind === PING) await queue.add({ what: 'wake', workspaceId, webhookId });
    } else if (verdict === 'gone') {
      await this.disable(webhook, 'gone');
    } else if (failuresInARow >= FAILURES_MIN && Date.now() - failingSince >= failingMaxMs) {
      await this.disable(webhook, 'failing');
    }
  }

  /** Disables a webhook, unless it leads elsewhere by now. */
  private async disable({ id, url }: Webhook, disabledReason: 'gone' | 'failing'): Promise<void> {
    await patchRecord(
      this.options.redis,
      'webhooks',
      id,
      (found): Partial<Webhook> =>
        found.url === url && found.status === 'enabled'
          ? { status: 'disabled', disabledReason, disabledAt: new Date().toISOString() }
          : {},
    );
    this.options.log.warn({ webhookId: id, disabledReason }, 'webhook disabled');
  }
}

function dueNow(inLine: boolean): Fate {
  const nextAt = Date.now();
  return inLine ? { to: 'held', nextAt, pausedUntil: 0 } : { to: 'aside', nextAt };
}

function jobOf(workspaceId: string, { webhookId, name }: Waiting): WebhookJob {
  return name.startsWith('dlv_')
    ? { what: 'delivery', workspaceId, webhookId, deliveryId: name }
    : { what: 'line', workspaceId, webhookId, line: name };
}

function nameOf(job: JobOf<'line' | 'delivery'>): string {
  return job.what === 'line' ? `${job.webhookId} ${job.line}` : job.deliveryId;
}
