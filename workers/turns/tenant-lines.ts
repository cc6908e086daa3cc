import { Ring } from '../../src/ring.ts';

/** What waits for one tenant, in order of arrival. */
interface Line<Item> {
  readonly tenant: string;
  readonly items: Ring<Item>;
}

/**
 * A queue in which tenants take turns, one item each (round robin). A tenant with nothing waiting goes first once, and then takes turns
 * like the others, as in FQ-CoDel (RFC 8290): a tenant with many items does not delay one with few, and many tenants with few items do not
 * hold up one with many.
 */
export class TenantLines<Item> {
  /** By tenant. A line without items keeps its next turn, or its tenant would go first again and again. */
  private readonly lines = new Map<string, Line<Item>>();
  /** Lines that have not had a turn. */
  private readonly fresh = new Ring<Line<Item>>();
  private turns = new Ring<Line<Item>>();
  private count = 0;

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.count === 0;
  }

  push(tenant: string, item: Item): void {
    this.count += 1;
    const line = this.lines.get(tenant) ?? this.open(tenant);
    line.items.push(item);
  }

  /** Takes the next item; undefined if nothing waits. */
  shift(): Item | undefined {
    for (let line = this.nextLine(); line !== undefined; line = this.nextLine()) {
      const item = line.items.shift();
      if (item === undefined) {
        this.lines.delete(line.tenant);
        continue;
      }
      this.count -= 1;
      if (this.isEmpty) this.clear();
      else this.turns.push(line);
      return item;
    }
    return undefined;
  }

  private nextLine(): Line<Item> | undefined {
    return this.fresh.shift() ?? this.turns.shift();
  }

  private open(tenant: string): Line<Item> {
    const line = { tenant, items: new Ring<Item>() };
    this.lines.set(tenant, line);
    this.fresh.push(line);
    return line;
  }

  // Whoever comes next goes first again.
  private clear(): void {
    this.lines.clear();
    if (this.turns.size > 0) this.turns = new Ring();
  }
}
