/** One thing that has been brought up. */
export interface Part {
  close(): Promise<void>;
  /** Ends it at once, where that is possible. */
  kill?(): void;
}

/** What has been brought up, to be taken down in the reverse order. */
export class Stack {
  #parts: Part[] = [];
  #isHurried = false;

  /** Adds the part that came up last. */
  add(part: Part): void {
    this.#parts.push(part);
    if (this.#isHurried) part.kill?.();
  }

  /** Takes everything down; a part that fails does not keep the others up. */
  async close(): Promise<void> {
    for (let part = this.#parts.pop(); part; part = this.#parts.pop()) {
      await part.close().catch((error) => process.stderr.write(`${error.message}\n`));
    }
  }

  /** Ends at once what takes its time. */
  hurry(): void {
    this.#isHurried = true;
    for (const part of this.#parts) part.kill?.();
  }
}
