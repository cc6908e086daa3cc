/** One part that has been started. */
export interface Part {
  close(): Promise<void>;
  /** Ends it at once, if that is possible. */
  kill?(): void;
}

/** The parts that have been started. They are stopped in reverse order. */
export class Stack {
  #parts: Part[] = [];
  #closing: Part | undefined;
  #isHurried = false;

  /** Adds a part that has just been started. */
  add(part: Part): void {
    this.#parts.push(part);
    if (this.#isHurried) part.kill?.();
  }

  /** Stops every part, even if one of them fails. */
  async close(): Promise<void> {
    for (let part = this.#parts.pop(); part; part = this.#parts.pop()) {
      this.#closing = part;
      await part.close().catch((error) => process.stderr.write(`${error.message}\n`));
    }
  }

  /** Ends at once the part that `close` is waiting for, and those that it would stop next. */
  hurry(): void {
    this.#isHurried = true;
    for (const part of [this.#closing, ...this.#parts]) part?.kill?.();
  }
}
