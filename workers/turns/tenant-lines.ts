import { Ring } from '../../src/ring.ts';

// Many tenants that each have one item would otherwise hold up all that have several, for as long as they go on.
const SPARSE_IN_A_ROW_MAX = 3;

/** What waits for one tenant, in order of arrival. */
interface Line<Item> {
  readonly tenant: string;
  readonly items: Ring<Item>;
}

/**
 * A queue in order of arrival, with one exception: an item of a tenant with nothing else waiting goes first (sparse flows first, as in
 * FQ-CoDel, RFC 8290). So a tenant with many items does not delay one with few. After three such items one of the others is taken. Tenants
 * with many items are served in order of arrival, so each gets as much as its part of what arrives.
 */
export class TenantLines<Item> {
  private readonly lines = new Map<string, Line<Item>>();
  /** Turns of tenants that had nothing waiting when an item came, and all other turns. Each turn takes its tenant's oldest item. */
  private readonly sparse = new Ring<Line<Item>>();
  private readonly rest = new Ring<Line<Item>>();
  private sparseInARow = 0;

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  push(tenant: string, item: Item): void {
    const known = this.lines.get(tenant);
    const line = known ?? { tenant, items: new Ring<Item>() };
    line.items.push(item);
    if (known === undefined) this.lines.set(tenant, line);
    (known === undefined ? this.sparse : this.rest).push(line);
  }

  /** Takes the next item; undefined if nothing waits. */
  shift(): Item | undefined {
    const line = this.nextTurn();
    if (line === undefined) return undefined;
    const item = line.items.shift();
    if (line.items.size === 0) this.lines.delete(line.tenant);
    return item;
  }

  private nextTurn(): Line<Item> | undefined {
    const mayBeSparse = this.sparseInARow < SPARSE_IN_A_ROW_MAX || this.rest.size === 0;
    const sparse = mayBeSparse ? this.sparse.shift() : undefined;
    this.sparseInARow = sparse === undefined ? 0 : this.sparseInARow + 1;
    return sparse ?? this.rest.shift();
  }
}
