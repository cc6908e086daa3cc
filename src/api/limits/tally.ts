import { Counter, type Registry } from 'prom-client';

interface Cell<Label extends string> {
  labels: Record<Label, string>;
  count: number;
}

/** A counter that costs next to nothing to raise: Prometheus' own looks at its labels only when it is read. */
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

  /** What to raise for these labels; `name` tells them from others. */
  cell(name: string, labels: () => Record<Label, string>): Cell<Label> {
    const known = this.cells.get(name);
    if (known !== undefined) return known;
    const cell = { labels: labels(), count: 0 };
    this.cells.set(name, cell);
    return cell;
  }
}
