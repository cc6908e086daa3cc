import { Counter, type Registry } from 'prom-client';

type Counts = Map<string, Map<string, Map<string, { count: number }>>>;

/** A cheap counter with three labels: unlike Prometheus' own counter, it handles labels only when it is scraped. */
export class Tally<Label extends string> {
  // By the value of each label in turn: joining and hashing the three for each count takes longer.
  private readonly counts: Counts = new Map();

  constructor(
    registry: Registry,
    about: { name: string; help: string; labelNames: [first: Label, second: Label, third: Label] },
  ) {
    const { counts } = this;
    const [first, second, third] = about.labelNames;
    new Counter({
      ...about,
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

  /** Counts one with these values of the labels. */
  add(first: string, second: string, third: string): void {
    const cell = this.counts.get(first)?.get(second)?.get(third);
    if (cell === undefined) this.open(first, second, third);
    else cell.count += 1;
  }

  private open(first: string, second: string, third: string): void {
    const bySecond = this.counts.get(first) ?? new Map<string, Map<string, { count: number }>>();
    const byThird = bySecond.get(second) ?? new Map<string, { count: number }>();
    this.counts.set(first, bySecond.set(second, byThird.set(third, { count: 1 })));
  }
}
