/** What waits, the first to come in front. */
export class Line<Item> {
  private items: (Item | undefined)[] = [];
  private head = 0;

  push(item: Item): void {
    this.items.push(item);
  }

  /** Takes the first; undefined when nothing waits. */
  shift(): Item | undefined {
    const item = this.items[this.head];
    if (item === undefined) return undefined;
    this.items[this.head] = undefined;
    this.head += 1;
    if (this.head > 1_024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}
