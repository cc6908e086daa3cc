/** What waits, one line for each tenant; tenants take turns (round robin), so that one with much holds up nobody's little. */
export class TenantLines<Item> {
  /** The tenant whose turn is next comes first. */
  private readonly lines = new Map<string, Item[]>();

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  /** Adds to the end of a tenant's line. */
  push(tenant: string, item: Item): void {
    const line = this.lines.get(tenant);
    if (line === undefined) this.lines.set(tenant, [item]);
    else line.push(item);
  }

  /** Takes what is first in the line of the tenant whose turn it is; undefined when nothing waits. */
  shift(): Item | undefined {
    for (const [tenant, line] of this.lines) {
      this.lines.delete(tenant);
      const item = line.shift();
      if (line.length > 0) this.lines.set(tenant, line);
      return item;
    }
    return undefined;
  }
}
