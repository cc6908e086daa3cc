interface Cell<Value> {
  value: Value | null;
}

// After so many deletions, a new table is made. At thousands of calls a second that is more often than minor collections, so that no table
// becomes old. With more values it takes as many deletions as there are values: copying these then costs no more than the deletions did.
const DELETIONS_MIN = 256;

/**
 * A map for short-lived values that keep many objects in memory, such as a call with its request.
 *
 * A long-lived `Map` or `Set` replaces its table again and again, because deleted entries keep their places, and each table refers to the
 * next. Once one of them is in V8's old generation, all later ones survive minor collections, with everything in them, until the next major
 * collection. Here the tables hold only small cells, which are emptied when their values are deleted, and a new `Map` cuts the chain.
 */
export class TransientMap<Key, Value extends object> {
  private cells = new Map<Key, Cell<Value>>();
  private deletions = 0;

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
    this.deletions += 1;
    if (this.deletions < Math.max(DELETIONS_MIN, this.cells.size)) return;
    this.deletions = 0;
    this.cells = new Map(this.cells);
  }

  /** The values, oldest first. Those that are set after this has begun may be left out. */
  *values(): Generator<Value> {
    for (const { value } of this.cells.values()) if (value !== null) yield value;
  }
}
