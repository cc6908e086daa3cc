/** Times of many calls, kept exactly. */
export class Samples {
  private values = new Float64Array(4_096);
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(value: number): void {
    if (this.count === this.values.length) {
      const larger = new Float64Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.count] = value;
    this.count += 1;
  }

  /** The values at these shares, from 0 to 1; NaN when there are none. */
  quantiles<Shares extends number[]>(...shares: Shares): { [Share in keyof Shares]: number } {
    const sorted = this.values.subarray(0, this.count).slice().sort();
    const at = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
    return shares.map(at) as { [Share in keyof Shares]: number };
  }
}
