import { Gauge, type GaugeConfiguration, type LabelValues } from 'prom-client';

// Longer than it takes to count anew what there is.
const FRESH_MS = 60_000;

/** A gauge of what is counted now and then. It shows no values rather than stale ones, as while Redis is away. */
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
