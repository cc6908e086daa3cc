import type { Webhook } from '../../src/directory/collections.ts';
import { findRecord } from '../../src/directory/records.ts';
import type { Tenants, WorkspaceTenant } from '../../src/directory/tenants.ts';
import { LaneShares } from '../../src/queue/lane-shares.ts';
import type { WebhookHandlers, WebhookJob } from '../../src/queue/webhook-queue.ts';
import { PING } from '../../src/webhooks/delivery.ts';
import { findDelivery } from '../../src/webhooks/find-delivery.ts';
import { lineKey } from '../../src/webhooks/line-keys.ts';
import { FairSemaphore } from '../turns/fair-semaphore.ts';
import { Slices } from '../turns/slices.ts';
import { Feed } from './feed.ts';
import { FullFeeds } from './full-feeds.ts';
import { countLeaseWaiters, type Lease, releaseLease, renewLease, takeLease } from './lease.ts';
import { findNextDelivery } from './next-delivery.ts';
import { type SendContext, sendDelivery } from './send-delivery.ts';
import { jobOf, startDue } from './start-due.ts';
import { surveyLines } from './survey-lines.ts';
import { untilNextWake, wakeWebhook } from './wake-webhook.ts';
import { listEnabledWebhooks } from './workspace-webhooks.ts';

export interface DeliveryRunnerOptions extends Omit<SendContext, 'semaphore'> {
  tenants: Tenants;
}

type JobOf<What> = Extract<WebhookJob, { what: What }>;

// Longer than an attempt may take, and short enough that a dead worker holds a lease for a few seconds only.
const LEASE_MS = 20_000;
const LEASE_WAIT_MS = 2_000;
// Waiting jobs are woken in turn. The retry interval grows with their number, so that many do not poll all the time.
const LEASE_WAIT_EACH_MS = 20;
const LEASE_WAIT_MAX_MS = 10_000;

// The deliveries that this process sends at once: most of their time they wait for receivers.
const PERMITS = 128;

// Hundreds of webhooks come due at the same moment, for example when their workspace gets an update, and calls have to run in between.
const SLICE_MS = 1;

// Apart from sending, jobs ask Redis again and again, and one turn of the event loop handles all answers that have arrived. With more jobs
// at once, calls wait long for their turn, here and in Redis.
const ASKING_AT_ONCE = 8;
// A job that reads many webhooks, or queues much, yields its permit to others after this time.
const ASKING_MS = 10;

// After this time, others that wait for a lease have their turn.
const TURN_MS = 3_000;

/** Sends updates to webhooks. All its state is in Redis, so any worker can continue. */
export class DeliveryRunner implements WebhookHandlers {
  private readonly options: DeliveryRunnerOptions & SendContext;
  private readonly shares = new LaneShares<WebhookJob>(PERMITS);
  /** Jobs that neither got a permit nor wait for one, as too many do: nothing but their own retry starts them. */
  private readonly leftOut = new WeakSet<WebhookJob>();
  private readonly fullFeeds = new FullFeeds();
  private readonly slices = new Slices(SLICE_MS);
  private readonly semaphore = new FairSemaphore(ASKING_AT_ONCE);
  private stopping = false;

  constructor(options: DeliveryRunnerOptions) {
    this.options = { ...options, semaphore: this.semaphore };
  }

  /** How many jobs to run at once. */
  get concurrency(): number {
    return this.shares.concurrency;
  }

  /** Starts nothing new; deliveries under way are finished. */
  stop(): void {
    this.stopping = true;
  }

  async run(job: WebhookJob): Promise<void> {
    const tenant = await this.options.tenants.find(job.workspaceId);
    return this.semaphore.run(tenant.organizationId, () => this.runInTurn(job, tenant));
  }

  async next(job: WebhookJob): Promise<number | null> {
    const tenant = await this.options.tenants.find(job.workspaceId);
    return this.semaphore.run(tenant.organizationId, () => this.findNext(job, tenant));
  }

  private async runInTurn(job: WebhookJob, tenant: WorkspaceTenant): Promise<void> {
    await this.slices.next(job.workspaceId);
    if (this.stopping) return;
    if (job.what === 'feed') return this.feed(tenant);
    if (job.what === 'wake') return this.wake(job);
    if (!this.shares.take(tenant, nameOf(job), job)) {
      if (!this.shares.isWaiting(job.workspaceId, nameOf(job))) this.leftOut.add(job);
      return;
    }
    try {
      await this.deliver(job);
    } finally {
      const woken = this.shares.giveBack(tenant);
      await Promise.all(woken.map((each) => this.options.queue.hurry(each)));
    }
  }

  private async deliver(job: JobOf<'line' | 'delivery'>): Promise<void> {
    const name = job.what === 'line' ? job.line : job.deliveryId;
    const owner = { id: job.webhookId, workspaceId: job.workspaceId };
    const { redis, queue } = this.options;
    const lease = await takeLease(redis, owner, name, LEASE_MS);
    if (lease === null) return;
    try {
      await (job.what === 'line' ? this.sendLine(job, lease) : this.sendAside(job));
    } finally {
      await this.slices.next(job.workspaceId);
      const { waiters, isMoreDue } = await releaseLease(redis, lease);
      await Promise.all(waiters.map((each) => queue.hurry(jobOf(job.workspaceId, each))));
      if (isMoreDue) await startDue(redis, queue, owner);
    }
  }

  private async findNext(job: WebhookJob, tenant: WorkspaceTenant): Promise<number | null> {
    const { redis } = this.options;
    await this.slices.next(job.workspaceId);
    if (job.what === 'feed') return (await this.isBehind(tenant)) ? 0 : null;
    const webhook = await findRecord(redis, 'webhooks', job.webhookId);
    if (webhook === null) return null;
    if (job.what === 'wake') return webhook.status === 'disabled' ? null : untilNextWake(redis, webhook);
    const name = job.what === 'line' ? job.line : job.deliveryId;
    const waiters =
      this.leftOut.has(job) || this.shares.isWaiting(job.workspaceId, nameOf(job))
        ? Math.max(1, this.shares.waiting)
        : await countLeaseWaiters(redis, webhook, name);
    const due =
      job.what === 'line' ? await this.lineDue(webhook, job.line) : await this.asideDue(webhook, job);
    if (due === null) return null;
    const wait = Math.max(0, due - Date.now());
    return waiters === 0
      ? wait
      : Math.max(wait, LEASE_WAIT_MS, Math.min(waiters * LEASE_WAIT_EACH_MS, LEASE_WAIT_MAX_MS));
  }

  private async isBehind(tenant: WorkspaceTenant): Promise<boolean> {
    const yieldPermit = this.yielder(tenant);
    for (const webhook of await listEnabledWebhooks(this.options.redis, tenant.workspaceId)) {
      await yieldPermit();
      if ((await surveyLines(this.options.redis, webhook, { listsDue: false })).isBehind) return true;
    }
    return false;
  }

  private async lineDue(webhook: Webhook, line: string): Promise<number | null> {
    if (webhook.status === 'disabled') return null;
    const head = await findNextDelivery(this.options.redis, webhook, line);
    return head === null ? null : Math.max(head.heldUntil, head.pausedUntil);
  }

  private async asideDue(webhook: Webhook, { deliveryId }: JobOf<'delivery'>): Promise<number | null> {
    const { redis } = this.options;
    const due = await redis.zscore(lineKey(webhook, 'aside'), deliveryId);
    const delivery = due === null ? null : await findDelivery(redis, webhook, deliveryId);
    if (delivery === null) return null;
    if (delivery.kind === PING) return Number(due);
    if (webhook.status === 'disabled') return null;
    return Math.max(Number(due), Number((await redis.hget(lineKey(webhook, 'state'), 'pausedUntil')) ?? 0));
  }

  /** Returns a function that yields a job's permit between its parts, if the job has held it for a while. */
  private yielder({ organizationId }: WorkspaceTenant): () => Promise<void> {
    let until = 0;
    return async () => {
      if (performance.now() < until) return;
      // The first part runs at once: mostly it is the only one.
      if (until > 0) await this.semaphore.requeue(organizationId);
      until = performance.now() + ASKING_MS;
    };
  }

  private async feed(tenant: WorkspaceTenant): Promise<void> {
    const { workspaceId } = tenant;
    const { redis, queue } = this.options;
    const feed = new Feed(redis, queue, workspaceId, this.yielder(tenant), this.fullFeeds);
    await feed.fill(...(await listEnabledWebhooks(redis, workspaceId)));
  }

  private async wake({ webhookId }: JobOf<'wake'>): Promise<void> {
    const { redis, queue } = this.options;
    const webhook = await findRecord(redis, 'webhooks', webhookId);
    if (webhook === null || webhook.status === 'disabled') return;
    await wakeWebhook(redis, queue, webhook);
  }

  private async sendLine({ webhookId, workspaceId, line }: JobOf<'line'>, lease: Lease): Promise<void> {
    const { redis } = this.options;
    const turnEnds = performance.now() + TURN_MS;
    while (!this.stopping && performance.now() < turnEnds) {
      await this.slices.next(workspaceId);
      const webhook = await findRecord(redis, 'webhooks', webhookId);
      if (webhook === null || webhook.status === 'disabled') return;
      const head = await findNextDelivery(redis, webhook, line);
      // A job may run because something was added to its line, which is no reason to retry the head earlier.
      if (head === null || Math.max(head.heldUntil, head.pausedUntil) > Date.now()) return;
      if (!(await renewLease(redis, lease, LEASE_MS))) return;
      const { delivery, asked } = head;
      if ((await sendDelivery(this.options, webhook, delivery, { inLine: true, asked })) !== 'on') return;
      await this.semaphore.requeue(webhook.organizationId);
    }
  }

  private async sendAside(job: JobOf<'delivery'>): Promise<void> {
    const { redis } = this.options;
    const webhook = await findRecord(redis, 'webhooks', job.webhookId);
    if (webhook === null) return;
    const asked = await redis.hget(lineKey(webhook, 'state'), 'asked');
    const delivery = await findDelivery(redis, webhook, job.deliveryId);
    const due = await this.asideDue(webhook, job);
    if (delivery === null || due === null || due > Date.now()) return;
    await sendDelivery(this.options, webhook, delivery, { inLine: false, asked });
  }
}

function nameOf(job: JobOf<'line' | 'delivery'>): string {
  return job.what === 'line' ? `${job.webhookId} ${job.line}` : job.deliveryId;
}
