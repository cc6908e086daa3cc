/**
 * What waits, in the order in which it came, but for this: what comes from a tenant of whom nothing waits goes before all others' rest
 * (sparse flows first, as FQ-CoDel has it, RFC 8290). So one with much holds up nobody's little, and those with much
 * share as they come.
 */
export class TenantLines<Item> {
  private readonly sparse: Waiting<Item>[] = [];
  private rest: (Waiting<Item> | undefined)[] = [];
  /** Those of `rest` before it are gone. */
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

  /** Puts an item behind all that waits now, also where nothing else of its tenant does. */
  pushLast(tenant: string, item: Item): void {
    this.rest.push({ tenant, item });
    this.counts.set(tenant, (this.counts.get(tenant) ?? 0) + 1);
  }

  /** Takes what is next; undefined when nothing waits. */
  shift(): Item | undefined {
    const next = this.sparse.shift() ?? this.shiftRest();
    if (next === undefined) return undefined;
    const left = (this.counts.get(next.tenant) as number) - 1;
    if (left === 0) this.counts.delete(next.tenant);
    else this.counts.set(next.tenant, left);
    return next.item;
  }

  // The shift of a long array moves all of it.
  private shiftRest(): Waiting<Item> | undefined {
    const next = this.rest[this.head];
    if (next === undefined) return undefined;
    this.rest[this.head] = undefined;
    this.head += 1;
    if (this.head === this.rest.length) {
      this.rest = [];
      this.head = 0;
    }
    return next;
  }
}

interface Waiting<Item> {
  tenant: string;
  item: Item;
}
