import { type Job, Queue, Worker } from 'bullmq';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { queuePrefix } from '../redis/keys.ts';
import { logErrors } from './log-errors.ts';
import { JOB_OPTIONS, QUEUE_OPTIONS } from './queues.ts';

/**
 * The jobs of webhooks:
 * - `feed`: put the new updates of a workspace into the lines of its webhooks
 * - `line`: send the deliveries of one line
 * - `delivery`: attempt a delivery that is outside its line
 * - `wake`: retry every line of a webhook at once
 */
export type WebhookJob =
  | { what: 'feed'; workspaceId: string }
  | { what: 'line'; workspaceId: string; webhookId: string; line: string }
  | { what: 'delivery'; workspaceId: string; webhookId: string; deliveryId: string }
  | { what: 'wake'; workspaceId: string; webhookId: string };

/** Handles these jobs in a worker process. */
export interface WebhookHandlers {
  run(job: WebhookJob): Promise<void>;
  /** In how many ms the job that has run, the same object, has to run again; null if nothing is left to do. */
  next(job: WebhookJob): Promise<number | null>;
}

const QUEUE_NAME = 'webhooks';
const PREFIX = queuePrefix(0);
// A job whose worker was killed runs elsewhere within seconds, however many workers it has lost. `drainDelay` is in seconds.
const WORKER_OPTIONS = { lockDuration: 5_000, stalledInterval: 2_000, maxStalledCount: 100, drainDelay: 5 };

// A failed job may fail again at once, for example while Redis is full.
const AFTER_FAILURE_MS = 1_000;

/** Queues webhook jobs. The same job is never queued twice: what is to be done is read from Redis when it runs. */
export class WebhookQueue {
  private readonly queue: Queue<WebhookJob>;

  constructor(connection: RedisConnection) {
    this.queue = new Queue(QUEUE_NAME, {
      connection,
      prefix: PREFIX,
      ...QUEUE_OPTIONS,
    });
    // The owner of the connection handles its failures.
    this.queue.on('error', () => undefined);
  }

  /** Queues a job to run in `delayMs`, unless the same job is already queued, be it for another time. */
  async add(job: WebhookJob, delayMs = 0): Promise<void> {
    const delay = Math.max(0, Math.round(delayMs));
    await this.queue.add(job.what, job, { ...JOB_OPTIONS, jobId: idOf(job), delay });
  }

  /** Queues a job to run at once. If the same job is already queued for later, moves it forward. */
  async hurry(job: WebhookJob): Promise<void> {
    const queued: Job | undefined = await this.queue.getJob(idOf(job));
    if (queued === undefined) return this.add(job);
    // It fails if the job has started meanwhile, which is just as good.
    if (await queued.isDelayed()) await queued.promote().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.queue.close();
  }
}

/** The consumer of a worker process, which the caller closes. */
export interface WebhookConsumer {
  /** Takes no more jobs, and resolves when those that run have ended, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Runs the queued jobs. When one has run, queues it again if there is more to do, so that nothing that arrived meanwhile is missed. */
export function consumeWebhooks(options: {
  connection: RedisConnection;
  queue: WebhookQueue;
  handlers: WebhookHandlers;
  /** How many jobs run at once. */
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
  const requeueIfMore = async (job: Job<WebhookJob> | undefined, failed: boolean) => {
    if (job === undefined) return;
    try {
      const delay = await handlers.next(job.data);
      if (delay !== null) await queue.add(job.data, failed ? Math.max(delay, AFTER_FAILURE_MS) : delay);
    } catch (err) {
      log.warn({ err, jobId: job.id }, 'a webhook job was not queued again; a sweep will do it');
    }
  };
  worker.on('completed', (job) => void requeueIfMore(job, false));
  worker.on('failed', (job, err) => {
    log.warn({ err, jobId: job?.id }, 'a webhook job failed');
    void requeueIfMore(job, true);
  });
  logErrors(worker, log, {}, 'webhook worker error');
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
