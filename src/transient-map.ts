interface Cell<Value> {
  value: Value | null;
}

/**
 * A map for values that come and go many times a second and refer to much, such as a call with its request.
 *
 * A long-lived `Map` leaves every table it outgrows as garbage in V8's old generation. Until the next full collection everything in such
 * a table survives, with all it refers to, so that collecting the young generation copies nearly all instead of nearly nothing. Here the
 * tables hold only small cells, which are emptied when their values are deleted.
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

  /** The oldest first. */
  *values(): Generator<Value> {
    for (const { value } of this.cells.values()) if (value !== null) yield value;
  }
}
