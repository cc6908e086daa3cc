interface LookUp<V> {
  result: Promise<V | null>;
}

interface Entry<V> {
  value: V | null;
  askedAt: number;
}

/** Whether what was asked for then (by `performance.now`) still holds. */
export interface Freshness {
  covers(askedAt: number): boolean;
}

/**
 * Remembers look-ups while they are fresh. Hits and misses are bounded apart, so that a flood of wrong names cannot push out
 * the right ones, and a name that is already being looked up is not looked up twice.
 */
export class LookupCache<V> {
  private readonly load: (name: string) => Promise<V | null>;
  private readonly capacity: number;
  private readonly freshness: Freshness;
  private readonly hits = new Map<string, Entry<V>>();
  private readonly misses = new Map<string, Entry<V>>();
  private readonly underway = new Map<string, LookUp<V>>();

  constructor(load: (name: string) => Promise<V | null>, capacity: number, freshness: Freshness) {
    this.load = load;
    this.capacity = capacity;
    this.freshness = freshness;
  }

  /** What is remembered: the value, null for "there is none", undefined when it has to be looked up. */
  peek(name: string): V | null | undefined {
    const entry = this.hits.get(name) ?? this.misses.get(name);
    return entry !== undefined && this.freshness.covers(entry.askedAt) ? entry.value : undefined;
  }

  /** The value or null, from memory where that is fresh enough. */
  find(name: string): Promise<V | null> {
    const known = this.peek(name);
    if (known !== undefined) return Promise.resolve(known);
    const running = this.underway.get(name);
    if (running !== undefined) return running.result;
    const started: LookUp<V> = { result: this.load(name) };
    this.underway.set(name, started);
    // Fresh from when it was asked, not answered: the answer may be that old.
    started.result = this.follow(name, started, performance.now());
    return started.result;
  }

  /** Forgets a name at once; a look-up that is under way leaves nothing behind either. */
  forget(name: string): void {
    this.hits.delete(name);
    this.misses.delete(name);
    this.underway.delete(name);
  }

  /** Forgets everything. */
  clear(): void {
    this.hits.clear();
    this.misses.clear();
    this.underway.clear();
  }

  private async follow(name: string, lookUp: LookUp<V>, askedAt: number): Promise<V | null> {
    const isCurrent = () => this.underway.get(name) === lookUp;
    try {
      const value = await lookUp.result;
      if (isCurrent()) this.remember(name, { value, askedAt });
      return value;
    } finally {
      if (isCurrent()) this.underway.delete(name);
    }
  }

  private remember(name: string, entry: Entry<V>): void {
    this.hits.delete(name);
    this.misses.delete(name);
    const entries = entry.value === null ? this.misses : this.hits;
    entries.set(name, entry);
    const oldest = entries.keys().next();
    if (entries.size > this.capacity && !oldest.done) entries.delete(oldest.value);
  }
}
