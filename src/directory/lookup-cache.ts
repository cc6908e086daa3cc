interface LookUp<V> {
  result: Promise<V | null>;
}

interface Entry<V> {
  value: V | null;
  askedAt: number;
}

/** Whether something read at a moment (by `performance.now`) is still fresh. */
export interface Freshness {
  isFresh(askedAt: number): boolean;
}

/**
 * Caches look-ups while they are fresh. Hits and misses have separate bounds, so that a flood of unknown names cannot evict known
 * ones. Concurrent look-ups of one name are one.
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

  /** The cached value, null if the name is known to have none; undefined if it has to be looked up. */
  peek(name: string): V | null | undefined {
    const entry = this.hits.get(name) ?? this.misses.get(name);
    return entry !== undefined && this.freshness.isFresh(entry.askedAt) ? entry.value : undefined;
  }

  /** What the last look-up of a name found, fresh or not, and when it began; undefined if it found nothing or is no longer cached. */
  lastFound(name: string): Readonly<Entry<V>> | undefined {
    return this.hits.get(name);
  }

  /** The value or null, from the cache if that is fresh. */
  find(name: string): Promise<V | null> {
    const known = this.peek(name);
    if (known !== undefined) return Promise.resolve(known);
    const running = this.underway.get(name);
    if (running !== undefined) return running.result;
    const started: LookUp<V> = { result: this.load(name) };
    this.underway.set(name, started);
    // Its age counts from the question: the answer may be that old.
    started.result = this.follow(name, started, performance.now());
    return started.result;
  }

  /** Removes a name; the result of a look-up in progress is not cached either. */
  forget(name: string): void {
    this.hits.delete(name);
    this.misses.delete(name);
    this.underway.delete(name);
  }

  /** Removes everything. */
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
