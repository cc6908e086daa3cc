import { Gauge, type GaugeConfiguration, type LabelValues } from 'prom-client';

// Longer than a count takes, with the pause before it.
const FRESH_MS = 60_000;

/**
 * A gauge of what is counted from time to time. A minute after the last count it shows no values, rather than stale ones: counts fail while
 * Redis is away.
 */
export class FreshGauge<Label extends string = never> {
  private readonly gauge: Gauge<Label>;
  private setAt = Number.NEGATIVE_INFINITY;

  constructor(configuration: GaugeConfiguration<Label>) {
    const isFresh = () => performance.now() - this.setAt < FRESH_MS;
    this.gauge = new Gauge({
      ...configuration,
      collect() {
        if (isFresh()) return;
        this.reset();
        // A reset leaves a gauge without a label at 0.
        if (configuration.labelNames === undefined) this.remove();
      },
    });
  }

  set(value: number, labels: LabelValues<Label> = {}): void {
    this.setAt = performance.now();
    this.gauge.set(labels, value);
  }
}
