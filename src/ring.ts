const SLOTS_MIN = 16;

// A ring with more slots gives them back once it is empty.
const SLOTS_KEPT = 1_024;

/**
 * A first-in, first-out queue in a ring buffer, of anything but `undefined`. Adding and taking makes no garbage.
 *
 * Use it, not a `Set`, for what is added and taken thousands of times a second: see `TransientMap`.
 */
export class Ring<Item> {
  private slots = emptySlots<Item>(SLOTS_MIN);
  private head = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** The oldest item. */
  get first(): Item | undefined {
    return this.slots[this.head];
  }

  push(item: Item): void {
    if (this.count === this.slots.length) this.grow();
    this.slots[(this.head + this.count) & (this.slots.length - 1)] = item;
    this.count += 1;
  }

  /** Removes and returns the oldest item; undefined if there is none. */
  shift(): Item | undefined {
    const item = this.slots[this.head];
    if (item === undefined) return undefined;
    this.slots[this.head] = undefined;
    this.head = (this.head + 1) & (this.slots.length - 1);
    this.count -= 1;
    if (this.count === 0 && this.slots.length > SLOTS_KEPT) this.clear();
    return item;
  }

  private clear(): void {
    this.slots = emptySlots(SLOTS_MIN);
    this.head = 0;
  }

  // The length stays a power of two.
  private grow(): void {
    const { slots, head } = this;
    const grown = emptySlots<Item>(2 * slots.length);
    for (let i = 0; i < slots.length; i += 1) grown[i] = slots[(head + i) & (slots.length - 1)];
    this.slots = grown;
    this.head = 0;
  }
}

function emptySlots<Item>(length: number): (Item | undefined)[] {
  return new Array(length).fill(undefined);
}
