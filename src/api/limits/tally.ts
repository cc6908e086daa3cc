import { Counter, type Registry } from 'prom-client';

interface Cell<Label extends string> {
  labels: Record<Label, string>;
  count: number;
}

/** A cheap counter: unlike Prometheus' own counter, it handles labels only when it is scraped. */
export class Tally<Label extends string> {
  private readonly cells = new Map<string, Cell<Label>>();

  constructor(registry: Registry, about: { name: string; help: string; labelNames: Label[] }) {
    const { cells } = this;
    new Counter({
      ...about,
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, count } of cells.values()) this.inc(labels, count);
      },
    });
  }

  /** The cell of these labels, identified by `name`. */
  cell(name: string, labels: () => Record<Label, string>): Cell<Label> {
    const known = this.cells.get(name);
    if (known !== undefined) return known;
    const cell = { labels: labels(), count: 0 };
    this.cells.set(name, cell);
    return cell;
  }
}
