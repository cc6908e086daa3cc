import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Ring } from '../ring.ts';
import type { KeptUpdates, UpdateKeeper } from './kept-updates.ts';
import {
  PAGE_LIMITS,
  type ReadFrom,
  readUpdates,
  SLICE_LIMITS,
  sizeOf,
  type UpdateBatch,
} from './read-updates.ts';
import type { SlicedTasks } from './sliced-tasks.ts';
import { millisecondsOf, type UpdateEntry } from './update-entry.ts';

/** Runs a read when it is the reader's turn. Reads of one name that wait at the same time are run once, and share the result. */
export type TakeTurn = (name: string, read: () => Promise<UpdateBatch>) => Promise<UpdateBatch>;

/** A reader of a feed. `wake` is called when there may be new updates; extra calls must do no harm. */
export interface Listener {
  wake(): void;
}

/** A listener, and whether it is to be woken. */
interface Listening {
  readonly listener: Listener;
  isDue: boolean;
}

// Large updates take no longer to parse than small ones.
const READ_LIMITS = { ...PAGE_LIMITS, entries: SLICE_LIMITS.entries };

const KEPT_ENTRIES = 1_000;
const KEPT_BYTES = 4 * 1024 * 1024;
const KEPT_BATCHES = 16;

/**
 * The newest updates of one workspace, read once for all its readers. It holds all updates between `start` and `end`. A reader at an
 * offset within is served from here, any other from Redis, so readers far behind cost no further memory.
 */
export class WorkspaceFeed implements UpdateKeeper {
  private readonly redis: RedisConnection;
  private readonly workspaceId: string;
  private readonly wakeUps: SlicedTasks;
  private readonly kept: KeptUpdates;
  private readonly listeners = new Map<Listener, Listening>();
  // The listeners to wake, each once. Some of them may no longer be listening.
  private readonly due = new Ring<Listening>();
  private isWaking = false;
  // By offset. Most readers are at the same offset and share the batch after it.
  private batches = new Map<string, UpdateBatch>();
  private entries: UpdateEntry[] = [];
  private entryBytes = 0;
  private batchBytes = 0;
  private start: string | null = null;
  private end: string | null = null;
  /** Whether the stream ended at `end` when that was read. */
  private isAtEnd = true;
  private isReading = false;
  private isClosed = false;
  private hasMissed = false;

  constructor(redis: RedisConnection, workspaceId: string, wakeUps: SlicedTasks, kept: KeptUpdates) {
    this.redis = redis;
    this.workspaceId = workspaceId;
    this.wakeUps = wakeUps;
    this.kept = kept;
  }

  /** How many bytes of updates are held, and of what readers are sent of them: as text they are held once more. */
  get bytes(): number {
    return this.entryBytes + this.batchBytes;
  }

  /** Drops the held updates; later ones are held again. */
  forget(): void {
    this.dropBatches();
    this.entries = [];
    this.entryBytes = 0;
    this.start = this.end;
  }

  /** Closes the feed: nobody reads it any more. */
  close(): void {
    this.isClosed = true;
    this.kept.remove(this);
  }

  /** The updates after an offset, from here or from Redis. Throws `offset_gone` if they are not held. */
  async readAfter(offset: string, takeTurn: TakeTurn): Promise<UpdateBatch> {
    return this.heldAfter(offset) ?? readForLive(this.redis, this.workspaceId, { offset }, takeTurn);
  }

  /** The updates after an offset if they are in memory; null if they have to be read from Redis. */
  heldAfter(offset: string): UpdateBatch | null {
    if (this.start === null || this.end === null || offset < this.start || offset > this.end) return null;
    const known = this.batches.get(offset);
    if (known !== undefined) return known;
    const batch = this.batchAfter(offset, this.end);
    this.counted(() => {
      if (this.batches.size === KEPT_BATCHES || this.batchBytes > KEPT_BYTES) this.dropBatches();
      this.batches.set(offset, batch);
      this.batchBytes += sizeOf(batch.entries);
    });
    return batch;
  }

  /** Whether updates after an offset are known to exist. */
  hasAfter(offset: string): boolean {
    return this.end !== null && this.end > offset;
  }

  /** How much later than the first update held after an offset the newest one is. */
  millisecondsAfter(offset: string): number {
    if (this.end === null || this.end <= offset) return 0;
    const first = this.entries[this.entries.findLastIndex((entry) => entry.offset <= offset) + 1];
    return first === undefined ? 0 : millisecondsOf(this.end) - millisecondsOf(first.offset);
  }

  /** Wakes a listener whenever there may be new updates, until `unlisten`. */
  listen(listener: Listener): void {
    this.listeners.set(listener, { listener, isDue: false });
  }

  unlisten(listener: Listener): void {
    const listening = this.listeners.get(listener);
    if (listening !== undefined) listening.isDue = false;
    this.listeners.delete(listener);
  }

  /** Reads new updates. A call during a read makes it read once more afterwards. */
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

  /** Wakes all listeners, in turns. A listener still due from the last time is woken once. */
  wakeAll(): void {
    for (const listening of this.listeners.values()) {
      if (listening.isDue) continue;
      listening.isDue = true;
      this.due.push(listening);
    }
    if (this.isWaking || this.due.size === 0) return;
    this.isWaking = true;
    this.wakeUps.add(() => this.wakeNext());
  }

  private wakeNext(): boolean {
    const listening = this.due.shift();
    if (listening?.isDue) {
      listening.isDue = false;
      listening.listener.wake();
    }
    this.isWaking = this.due.size > 0;
    return this.isWaking;
  }

  // A cleared map would keep its batches in memory for a while: see `TransientMap`.
  private dropBatches(): void {
    this.batches = new Map();
    this.batchBytes = 0;
  }

  /** Makes a change, and counts the bytes that it adds or drops. */
  private counted(change: () => void): void {
    const before = this.bytes;
    change();
    // A read may come back after the end.
    if (!this.isClosed) this.kept.add(this, this.bytes - before);
  }

  private batchAfter(offset: string, end: string): UpdateBatch {
    // Searched from the newest backwards: most readers are near the end.
    const known = this.entries.findLastIndex((entry) => entry.offset <= offset);
    const last = this.lastOfBatch(known + 1);
    const entries = this.entries.slice(known + 1, last + 1);
    const isLast = last === this.entries.length - 1;
    const next = isLast ? end : (entries.at(-1)?.offset ?? end);
    return { entries, next, upToDate: isLast && this.isAtEnd };
  }

  private lastOfBatch(first: number): number {
    const { entries } = this;
    let last = first;
    let room = SLICE_LIMITS.bytes - (entries[first]?.size ?? 0);
    while (last + 1 < Math.min(entries.length, first + SLICE_LIMITS.entries)) {
      room -= (entries[last + 1] as UpdateEntry).size;
      if (room < 0) break;
      last += 1;
    }
    return Math.min(last, entries.length - 1);
  }

  private async readNew(): Promise<void> {
    const from = this.end === null ? 'end' : { offset: this.end };
    const batch = await readUpdates(this.redis, this.workspaceId, from, READ_LIMITS).catch(
      (error: unknown) => {
        if (error instanceof Problem && error.code === 'offset_gone') return null;
        throw error;
      },
    );
    if (batch === null) {
      // Redis has lost its newest updates, or has trimmed everything held here.
      this.dropHeld();
      this.hasMissed = true;
    } else {
      this.append(batch);
    }
    // Listeners from before the first read do not know yet whether there is something to read.
    if (batch === null || from === 'end' || batch.entries.length > 0) this.wakeAll();
  }

  private append({ entries, next, upToDate }: UpdateBatch): void {
    this.start ??= next;
    this.end = next;
    this.isAtEnd = upToDate;
    if (!upToDate) this.hasMissed = true;
    this.counted(() => {
      this.dropBatches();
      this.hold(entries);
    });
  }

  private hold(entries: UpdateEntry[]): void {
    this.entryBytes += sizeOf(entries);
    this.entries.push(...entries);
    let dropped = 0;
    while (this.entries.length - dropped > KEPT_ENTRIES || this.entryBytes > KEPT_BYTES) {
      const oldest = this.entries[dropped++] as UpdateEntry;
      this.entryBytes -= oldest.size;
      this.start = oldest.offset;
    }
    if (dropped > 0) this.entries.splice(0, dropped);
  }

  private dropHeld(): void {
    this.kept.remove(this);
    this.end = null;
    this.forget();
  }
}

/** Reads updates for a live reader, in its turn. Readers at the same offset share the read. */
export function readForLive(
  redis: RedisConnection,
  workspaceId: string,
  from: ReadFrom,
  takeTurn: TakeTurn,
): Promise<UpdateBatch> {
  const place = typeof from === 'string' ? from : from.offset;
  return takeTurn(`live ${workspaceId} ${place}`, () => readUpdates(redis, workspaceId, from, SLICE_LIMITS));
}
