import { Counter, type Registry } from 'prom-client';

/** The counts by the values of the three labels in turn. */
type Counts = Map<string, Map<string, Map<string, { count: number }>>>;

/** A cheap counter with three labels. Unlike the counter of `prom-client`, which it feeds, it joins labels only when it is scraped. */
export class Tally<Label extends string> {
  // Three look-ups take less time than joining and hashing the three values for each count.
  private readonly counts: Counts = new Map();

  constructor(
    registry: Registry,
    options: { name: string; help: string; labelNames: [first: Label, second: Label, third: Label] },
  ) {
    const { counts } = this;
    const [first, second, third] = options.labelNames;
    new Counter({
      ...options,
      registers: [registry],
      collect() {
        this.reset();
        for (const [a, bySecond] of counts)
          for (const [b, byThird] of bySecond)
            for (const [c, { count }] of byThird)
              this.inc({ [first]: a, [second]: b, [third]: c } as Record<Label, string>, count);
      },
    });
  }

  /** Adds 1 to the count of these values of the labels. */
  add(first: string, second: string, third: string): void {
    const counted = this.counts.get(first)?.get(second)?.get(third);
    if (counted === undefined) this.addFirst(first, second, third);
    else counted.count += 1;
  }

  private addFirst(first: string, second: string, third: string): void {
    const bySecond = this.counts.get(first) ?? new Map<string, Map<string, { count: number }>>();
    const byThird = bySecond.get(second) ?? new Map<string, { count: number }>();
    this.counts.set(first, bySecond.set(second, byThird.set(third, { count: 1 })));
  }
}
