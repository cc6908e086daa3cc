import { Counter, type Registry } from 'prom-client';
import { FreshGauge } from '../../src/metrics/fresh-gauge.ts';
import type { WebhookTotals } from '../../src/webhooks/webhook-totals.ts';
import { VERDICTS } from './attempt-delivery.ts';

/** Counts the deliveries of this process, and shows the totals of all webhooks. */
export class DeliveryMetrics {
  readonly attempts: Counter<'verdict'>;
  readonly deliveries: Counter<'status'>;
  private readonly waiting: FreshGauge;
  private readonly oldest: FreshGauge;
  private readonly webhooks: FreshGauge<'status'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'switchboard_webhook_attempts_total',
      help: 'Attempts at webhook deliveries, by verdict: taken, refused, away (try again later), gone (disable).',
      labelNames: ['verdict'],
      registers,
    });
    this.deliveries = new Counter({
      name: 'switchboard_webhook_deliveries_total',
      help: 'Webhook deliveries that are over, by status.',
      labelNames: ['status'],
      registers,
    });
    // As for async calls: Prometheus sees an increase only from one scrape to the next.
    for (const verdict of VERDICTS) this.attempts.inc({ verdict }, 0);
    for (const status of ['succeeded', 'failed']) this.deliveries.inc({ status }, 0);
    this.waiting = new FreshGauge({
      name: 'switchboard_webhook_deliveries_waiting',
      help: 'Queued webhook deliveries; the same in all workers.',
      registers,
    });
    this.oldest = new FreshGauge({
      name: 'switchboard_webhook_oldest_delivery_seconds',
      help: 'Age of the oldest queued delivery to an enabled webhook; the same in all workers.',
      registers,
    });
    this.webhooks = new FreshGauge({
      name: 'switchboard_webhooks',
      help: 'Webhooks by status; the same in all workers.',
      labelNames: ['status'],
      registers,
    });
  }

  /** Sets the gauges to the totals of all webhooks. */
  show({ waiting, oldestMs, enabled, disabled }: WebhookTotals): void {
    this.waiting.set(waiting);
    this.oldest.set(oldestMs / 1_000);
    this.webhooks.set(enabled, { status: 'enabled' });
    this.webhooks.set(disabled, { status: 'disabled' });
  }
}
