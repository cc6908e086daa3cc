import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { type ReadFrom, readUpdates, SLICE_LIMITS, type UpdateBatch } from './read-updates.ts';
import type { Turns } from './turns.ts';
import type { UpdateEntry } from './update-entry.ts';

/**
 * Runs a read when the one who asks for it may have it. Reads of one name that wait at the same time are one, and all who wait get
 * what that gives.
 */
export type TakeTurn = <T>(name: string, read: () => Promise<T>) => Promise<T>;

/** One who follows a feed, and is told when there may be something new; twice for nothing does no harm. */
export interface Listener {
  hear(): void;
}

const KEPT_ENTRIES = 1_000;
const KEPT_CHARACTERS = 4 * 1024 * 1024;
const KEPT_BATCHES = 16;

/**
 * The newest updates of one workspace, read once for all who follow it. It holds everything between `start` and `end`; a reader
 * inside of that is served from here, any other from Redis, so nobody's slowness costs more than what is held.
 */
export class WorkspaceFeed {
  private readonly redis: RedisConnection;
  private readonly workspaceId: string;
  private readonly turns: Turns;
  private readonly listeners = new Set<Listener>();
  // Those who are still to hear of what is new, each once.
  private due = new Set<Listener>();
  private nextDue = this.due.values();
  private isWaking = false;
  // Those who follow mostly stand at the same offset, and share what is made of what lies behind it.
  private readonly batches = new Map<string, UpdateBatch>();
  private entries: UpdateEntry[] = [];
  private characters = 0;
  private start: string | null = null;
  private end: string | null = null;
  private isReading = false;
  private hasMissed = false;

  constructor(redis: RedisConnection, workspaceId: string, turns: Turns) {
    this.redis = redis;
    this.workspaceId = workspaceId;
    this.turns = turns;
  }

  /** The updates behind an offset; `offset_gone` when it lies outside of what is held anywhere. */
  async readBehind(offset: string, takeTurn: TakeTurn): Promise<UpdateBatch> {
    return this.heldBehind(offset) ?? readForLive(this.redis, this.workspaceId, { offset }, takeTurn);
  }

  /** The updates behind an offset if they are held here; null if they have to be read. */
  heldBehind(offset: string): UpdateBatch | null {
    if (this.start === null || this.end === null || offset < this.start || offset > this.end) return null;
    const known = this.batches.get(offset);
    if (known !== undefined) return known;
    const batch = this.batchBehind(offset, this.end);
    if (this.batches.size === KEPT_BATCHES) this.batches.clear();
    this.batches.set(offset, batch);
    return batch;
  }

  /** Whether something is known to lie behind an offset. */
  hasBehind(offset: string): boolean {
    return this.end !== null && this.end > offset;
  }

  /** Tells a listener of what is new from now on, until `forget`. */
  tell(listener: Listener): void {
    this.listeners.add(listener);
  }

  forget(listener: Listener): void {
    this.listeners.delete(listener);
    this.due.delete(listener);
  }

  /** Resolves when there may be something behind the offset, at `signal`, or after `timeoutMs`. */
  async untilBehind(offset: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.hasBehind(offset)) return;
    await new Promise<void>((resolve) => {
      const hear = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', hear);
        this.forget(listener);
        resolve();
      };
      const listener = { hear };
      const timer = setTimeout(hear, timeoutMs);
      signal.addEventListener('abort', hear);
      this.tell(listener);
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

  /** Lets everyone who listens look again, in turns. One who has not had his turn since the last time gets all in one. */
  wakeAll(): void {
    for (const listener of this.listeners) this.due.add(listener);
    if (this.isWaking || this.due.size === 0) return;
    this.isWaking = true;
    this.nextDue = this.due.values();
    this.turns.add(() => this.wakeNext());
  }

  private wakeNext(): boolean {
    const { value: listener } = this.nextDue.next();
    if (listener !== undefined) {
      this.due.delete(listener);
      listener.hear();
    }
    this.isWaking = this.due.size > 0;
    return this.isWaking;
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
    let room = SLICE_LIMITS.bytes - (entries[first]?.json.length ?? 0);
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
      this.dropHeld();
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

  private dropHeld(): void {
    this.batches.clear();
    this.entries = [];
    this.characters = 0;
    this.start = null;
    this.end = null;
  }
}

/** Reads updates for one who follows, in its turn; those who follow from the same place share the read. */
export function readForLive(
  redis: RedisConnection,
  workspaceId: string,
  from: ReadFrom,
  takeTurn: TakeTurn,
): Promise<UpdateBatch> {
  const place = typeof from === 'string' ? from : from.offset;
  return takeTurn(`live ${workspaceId} ${place}`, () => readUpdates(redis, workspaceId, from, SLICE_LIMITS));
}
