import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebhookTotals } from '../../src/webhooks/webhook-totals.ts';

/** Counts the deliveries of this process, and shows the totals of all webhooks. */
export class DeliveryMetrics {
  readonly attempts: Counter<'verdict'>;
  readonly deliveries: Counter<'status'>;
  private readonly waiting: Gauge;
  private readonly oldest: Gauge;
  private readonly webhooks: Gauge<'status'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'switchboard_webhook_attempts_total',
      help: 'Attempts at webhook deliveries, by what they said of the receiver.',
      labelNames: ['verdict'],
      registers,
    });
    this.deliveries = new Counter({
      name: 'switchboard_webhook_deliveries_total',
      help: 'Webhook deliveries that ended.',
      labelNames: ['status'],
      registers,
    });
    this.waiting = new Gauge({
      name: 'switchboard_webhook_deliveries_waiting',
      help: 'Webhook deliveries that are queued; the same in all.',
      registers,
    });
    this.oldest = new Gauge({
      name: 'switchboard_webhook_oldest_delivery_seconds',
      help: 'How long the oldest delivery to an enabled webhook has been queued; the same in all.',
      registers,
    });
    this.webhooks = new Gauge({
      name: 'switchboard_webhooks',
      help: 'Webhooks; the same in all.',
      labelNames: ['status'],
      registers,
    });
  }

  /** Sets the gauges to the totals of all webhooks. */
  show({ waiting, oldestMs, enabled, disabled }: WebhookTotals): void {
    this.waiting.set(waiting);
    this.oldest.set(oldestMs / 1_000);
    this.webhooks.set({ status: 'enabled' }, enabled);
    this.webhooks.set({ status: 'disabled' }, disabled);
  }
}
