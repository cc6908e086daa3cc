interface Cell<Value> {
  value: Value | null;
}

/**
 * A map for short-lived values that keep many objects in memory, such as a call with its request.
 *
 * A long-lived `Map` leaves each table that it outgrows as garbage in V8's old generation. Until the next major collection, everything in
 * such a table survives, with all it refers to, so that minor collections copy nearly everything instead of nearly nothing. Here the tables
 * hold only small cells, which are emptied when their values are deleted.
 */
export class TransientMap<Key, Value extends object> {
  private readonly cells = new Map<Key, Cell<Value>>();

  get size(): number {
    return this.cells.size;
  }

  get(key: Key): Value | undefined {
    return this.cells.get(key)?.value ?? undefined;
  }

  set(key: Key, value: Value): void {
    const cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, { value });
    else cell.value = value;
  }

  delete(key: Key): void {
    const cell = this.cells.get(key);
    if (cell === undefined) return;
    cell.value = null;
    this.cells.delete(key);
  }

  /** The values, oldest first. */
  *values(): Generator<Value> {
    for (const { value } of this.cells.values()) if (value !== null) yield value;
  }
}
