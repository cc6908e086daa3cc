import { type Job, Queue, Worker } from 'bullmq';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import { JOB_OPTIONS } from './queues.ts';

/**
 * What there is to do for webhooks:
 * - `feed`: put the new updates of a workspace into the lines of its webhooks
 * - `line`: send what is in one line
 * - `delivery`: try a delivery that stands beside its line
 * - `wake`: have every line of a webhook tried at once
 */
export type WebhookJob =
  | { what: 'feed'; workspaceId: string }
  | { what: 'line'; workspaceId: string; webhookId: string; line: string }
  | { what: 'delivery'; workspaceId: string; webhookId: string; deliveryId: string }
  | { what: 'wake'; workspaceId: string; webhookId: string };

/** What a worker process does with these jobs. */
export interface WebhookHandlers {
  run(job: WebhookJob): Promise<void>;
  /** In how many milliseconds the job has to run again, or null if there is nothing left to do for it. */
  next(job: WebhookJob): Promise<number | null>;
}

const QUEUE_NAME = 'webhooks';
const PREFIX = queuePrefix(0);
const WORKER_OPTIONS = { lockDuration: 5_000, stalledInterval: 2_000, maxStalledCount: 100, drainDelay: 5 };

/** Says what is to be done for webhooks. The same thing is never queued twice: only what is there in Redis counts, not how often. */
export class WebhookQueue {
  private readonly queue: Queue<WebhookJob>;

  constructor(connection: RedisConnection) {
    this.queue = new Queue(QUEUE_NAME, {
      connection,
      prefix: PREFIX,
      streams: { events: { maxLen: 100 } },
    });
    // The owner of the connection hears of its failures.
    this.queue.on('error', () => undefined);
  }

  /** Queues a job, unless the same one is there already, at whatever time. */
  async add(job: WebhookJob, delayMs = 0): Promise<void> {
    const delay = Math.max(0, Math.round(delayMs));
    await this.queue.add(job.what, job, { ...JOB_OPTIONS, jobId: idOf(job), delay });
  }

  /** Queues a job to run at once, also if the same one is there for later than in `soonMs`. */
  async hurry(job: WebhookJob, soonMs = 0): Promise<void> {
    const known: Job | undefined = await this.queue.getJob(idOf(job));
    if (known === undefined) return this.add(job);
    if (known.timestamp + known.delay <= Date.now() + soonMs && soonMs > 0) return;
    // It may have begun in between, which is as good.
    if (await known.isDelayed()) await known.promote().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.queue.close();
  }
}

/** A worker's part in it; to be closed. */
export interface WebhookConsumer {
  close(graceMs: number): Promise<void>;
}

/** Takes jobs and, when one has run, queues it again if there is more to do: nothing that comes meanwhile is left lying. */
export function consumeWebhooks(options: {
  connection: RedisConnection;
  queue: WebhookQueue;
  handlers: WebhookHandlers;
  /** How many jobs are taken at once. */
  concurrency: number;
  log: Logger;
}): WebhookConsumer {
  const { connection, queue, handlers, concurrency, log } = options;
  const worker = new Worker<WebhookJob, void>(QUEUE_NAME, ({ data }) => handlers.run(data), {
    ...WORKER_OPTIONS,
    connection,
    prefix: PREFIX,
    concurrency,
  });
  const goOn = async (job: Job<WebhookJob> | undefined, failed: boolean) => {
    if (job === undefined) return;
    try {
      const delay = await handlers.next(job.data);
      if (delay !== null) await queue.add(job.data, failed ? Math.max(delay, 1_000) : delay);
    } catch (err) {
      log.warn({ err, jobId: job.id }, 'a webhook job was not queued again; the sweep will');
    }
  };
  worker.on('completed', (job) => void goOn(job, false));
  worker.on('failed', (job, err) => {
    log.warn({ err, jobId: job?.id }, 'a webhook job failed');
    void goOn(job, true);
  });
  worker.on('error', (err) => log.warn({ err }, 'webhook worker error'));
  return {
    async close(graceMs) {
      const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([worker.close(), late]);
    },
  };
}

function idOf(job: WebhookJob): string {
  if (job.what === 'feed') return `feed-${job.workspaceId}`;
  if (job.what === 'line') return `line-${job.webhookId}-${job.line}`;
  return job.what === 'delivery' ? `delivery-${job.deliveryId}` : `wake-${job.webhookId}`;
}
