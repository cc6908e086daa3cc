interface Place<Value> {
  value: Value | null;
}

/**
 * A map for values that come and go many times a second and have much behind them, such as a call with its request. A `Map` that
 * lives long leaves every table it has outgrown behind as garbage of the old generation. Until the next full collection all that
 * was in such a table survives, and so does what it refers to: collecting the young generation then copies nearly all of it
 * instead of nearly nothing. Here a table only holds small places, which are emptied when their values go.
 */
export class TransientMap<Key, Value extends object> {
  private readonly places = new Map<Key, Place<Value>>();

  get size(): number {
    return this.places.size;
  }

  get(key: Key): Value | undefined {
    return this.places.get(key)?.value ?? undefined;
  }

  set(key: Key, value: Value): void {
    const place = this.places.get(key);
    if (place === undefined) this.places.set(key, { value });
    else place.value = value;
  }

  delete(key: Key): void {
    const place = this.places.get(key);
    if (place === undefined) return;
    place.value = null;
    this.places.delete(key);
  }

  /** The oldest first. */
  *values(): Generator<Value> {
    for (const { value } of this.places.values()) if (value !== null) yield value;
  }
}
