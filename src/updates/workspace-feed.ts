import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { readUpdates, type UpdateBatch } from './read-updates.ts';
import type { UpdateEntry } from './update-entry.ts';

const KEPT_ENTRIES = 1_000;
const KEPT_CHARACTERS = 4 * 1024 * 1024;
const KEPT_BATCHES = 16;
const WOKEN_AT_ONCE = 64;
// What one reader may have in its socket beyond what it takes, so it is what a thousand slow ones cost.
const BATCH_CHARACTERS = 256 * 1024;

/**
 * The newest updates of one workspace, read once for all who follow it. It holds everything between `start` and `end`; a reader
 * inside of that is served from here, any other from Redis, so nobody's slowness costs more than what is held.
 */
export class WorkspaceFeed {
  private readonly redis: RedisConnection;
  private readonly workspaceId: string;
  private readonly waiting = new Set<() => void>();
  // Those who follow mostly stand at the same offset, and share what is made of what lies behind it.
  private readonly batches = new Map<string, UpdateBatch>();
  private entries: UpdateEntry[] = [];
  private characters = 0;
  private start: string | null = null;
  private end: string | null = null;
  private isReading = false;
  private hasMissed = false;

  constructor(redis: RedisConnection, workspaceId: string) {
    this.redis = redis;
    this.workspaceId = workspaceId;
  }

  /** The updates behind an offset; `offset_gone` when it lies outside of what is held anywhere. */
  async readBehind(offset: string): Promise<UpdateBatch> {
    if (this.start === null || this.end === null || offset < this.start || offset > this.end) {
      return readUpdates(this.redis, this.workspaceId, { offset });
    }
    const known = this.batches.get(offset);
    if (known !== undefined) return known;
    const batch = this.batchBehind(offset, this.end);
    if (this.batches.size === KEPT_BATCHES) this.batches.clear();
    this.batches.set(offset, batch);
    return batch;
  }

  /** Resolves when there may be something behind the offset, at `signal`, or after `timeoutMs`. */
  async untilBehind(offset: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || (this.end !== null && this.end > offset)) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake);
      this.waiting.add(wake);
    });
  }

  /** Reads what is new; while it does, further calls only make it look once more. */
  async refresh(): Promise<void> {
    this.hasMissed = true;
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.hasMissed) {
        this.hasMissed = false;
        await this.readNew();
      }
    } finally {
      this.isReading = false;
    }
  }

  /** Lets everyone who waits look again, some at a time: what else the process does need not wait for them all. */
  wakeAll(): void {
    const waiting = [...this.waiting];
    const wakeSome = () => {
      for (const wake of waiting.splice(0, WOKEN_AT_ONCE)) wake();
      if (waiting.length > 0) setImmediate(wakeSome);
    };
    wakeSome();
  }

  private batchBehind(offset: string, end: string): UpdateBatch {
    // From the newest on: that is where those who follow are.
    const known = this.entries.findLastIndex((entry) => entry.offset <= offset);
    const last = this.lastOfBatch(known + 1);
    const entries = this.entries.slice(known + 1, last + 1);
    const upToDate = last === this.entries.length - 1;
    return { entries, next: upToDate ? end : (entries.at(-1)?.offset ?? end), upToDate };
  }

  private lastOfBatch(first: number): number {
    const { entries } = this;
    let last = first;
    let room = BATCH_CHARACTERS - (entries[first]?.json.length ?? 0);
    while (last + 1 < entries.length) {
      room -= (entries[last + 1] as UpdateEntry).json.length;
      if (room < 0) break;
      last += 1;
    }
    return Math.min(last, entries.length - 1);
  }

  private async readNew(): Promise<void> {
    const from = this.end === null ? 'end' : { offset: this.end };
    const batch = await readUpdates(this.redis, this.workspaceId, from).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'offset_gone') return null;
      throw error;
    });
    if (batch === null) {
      // Redis has lost its newest updates, or has trimmed all that is held here.
      this.forget();
      this.hasMissed = true;
    } else {
      this.append(batch);
    }
    // Before the first read nobody could be told whether there is something to read.
    if (batch === null || from === 'end' || batch.entries.length > 0) this.wakeAll();
  }

  private append({ entries, next, upToDate }: UpdateBatch): void {
    this.batches.clear();
    this.start ??= next;
    this.end = next;
    if (!upToDate) this.hasMissed = true;
    for (const entry of entries) this.characters += entry.json.length;
    this.entries.push(...entries);
    let dropped = 0;
    while (this.entries.length - dropped > KEPT_ENTRIES || this.characters > KEPT_CHARACTERS) {
      const oldest = this.entries[dropped++] as UpdateEntry;
      this.characters -= oldest.json.length;
      this.start = oldest.offset;
    }
    if (dropped > 0) this.entries.splice(0, dropped);
  }

  private forget(): void {
    this.batches.clear();
    this.entries = [];
    this.characters = 0;
    this.start = null;
    this.end = null;
  }
}
