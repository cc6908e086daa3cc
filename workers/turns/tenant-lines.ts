// The room of at least this many taken items is given back, even if the queue never runs empty.
const TAKEN_MIN = 1_000;

/**
 * A queue in order of arrival, with one exception: an item of a tenant with nothing else waiting goes first (sparse flows first, as in
 * FQ-CoDel, RFC 8290). So a tenant with many items does not delay one with few. Tenants with many items are served in order of arrival.
 */
export class TenantLines<Item> {
  private readonly sparse: Waiting<Item>[] = [];
  private rest: (Waiting<Item> | undefined)[] = [];
  /** The items of `rest` before this index have been taken. */
  private head = 0;
  /** How many items of each tenant wait. */
  private readonly counts = new Map<string, number>();

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  push(tenant: string, item: Item): void {
    const count = this.counts.get(tenant) ?? 0;
    (count === 0 ? this.sparse : this.rest).push({ tenant, item });
    this.counts.set(tenant, count + 1);
  }

  /** Puts an item behind all that wait now, even if its tenant has nothing else waiting. */
  pushLast(tenant: string, item: Item): void {
    this.rest.push({ tenant, item });
    this.counts.set(tenant, (this.counts.get(tenant) ?? 0) + 1);
  }

  /** Takes the next item; undefined if nothing waits. */
  shift(): Item | undefined {
    const next = this.sparse.shift() ?? this.shiftRest();
    if (next === undefined) return undefined;
    const left = (this.counts.get(next.tenant) as number) - 1;
    if (left === 0) this.counts.delete(next.tenant);
    else this.counts.set(next.tenant, left);
    return next.item;
  }

  // `shift` on a long array would move all its items.
  private shiftRest(): Waiting<Item> | undefined {
    const next = this.rest[this.head];
    if (next === undefined) return undefined;
    this.rest[this.head] = undefined;
    this.head += 1;
    const isHalfTaken = this.head >= TAKEN_MIN && 2 * this.head >= this.rest.length;
    if (isHalfTaken || this.head === this.rest.length) {
      this.rest = this.rest.slice(this.head);
      this.head = 0;
    }
    return next;
  }
}

interface Waiting<Item> {
  tenant: string;
  item: Item;
}
