import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from '../../redis/connections.ts';
import { TransientMap } from '../../transient-map.ts';
import { COST_FIELD, NO_NOTE, type ReplyNote } from '../frame.ts';
import { UnreadReplies } from './unread-replies.ts';

// A larger reply is stored in a key of its own, so that small replies need not wait until it is written and read.
const INLINE_MAX = 16 * 1024;
const LARGE_TTL_MS = 60_000;

// A reply of this size takes milliseconds to make, and again to write. In between, other work gets a turn of the event loop.
const HUGE = 256 * 1024;

// Entries stay small, as an API process reads many of them at a time.
const ENTRY_MAX = 256 * 1024;

/** How many bytes of unread replies a worker leaves on the stream of an API process. */
export const UNREAD_MAX = 16 * 1024 * 1024;
const PATIENCE_MS = 2_000;
const POLL_MS = 20;

// A stream expires sooner than this when its process is gone.
const FORGET_MS = 60_000;

interface Pending {
  fields: string[];
  /** The bytes of each reply, inline or not. */
  sizes: number[];
  written: Promise<void>;
}

interface Stream {
  unread: UnreadReplies;
  /** Bytes that are being written, for which there was room. */
  reserved: number;
  /** The promise that all writers await while there is no room. */
  room: Promise<boolean> | null;
  /** Whether there was no room for longer than `PATIENCE_MS`. */
  stalled: boolean;
  /** When it was last used. */
  usedAt: number;
}

/**
 * Writes replies to the reply streams of API processes, batched per turn of the event loop. If a process reads nothing, writers wait for it
 * once. Then its replies are dropped, so that they neither fill Redis nor delay others. The process finds the outcome of those calls in the
 * ledger.
 */
export class ReplyWriter {
  private readonly redis: RedisConnection;
  private readonly onStalled: (stream: string) => void;
  private readonly pending = new TransientMap<string, Pending>();
  private readonly streams = new Map<string, Stream>();
  private droppedReplies = 0;

  /** `onStalled` is called for each stream that is no longer read. */
  constructor(redis: RedisConnection, onStalled: (stream: string) => void = () => undefined) {
    this.redis = redis;
    this.onStalled = onStalled;
  }

  /** The number of API processes whose unread replies are counted. */
  get processes(): number {
    return this.streams.size;
  }

  /** How many replies were dropped because their process was gone or read nothing. */
  get dropped(): number {
    return this.droppedReplies;
  }

  /**
   * Sends one call's reply; resolves once Redis holds it. Nothing is written to a stream that is gone, as its process has ended. The note
   * is sent as fields of names that no call has: `ranUntil` with an empty one.
   */
  send(stream: string, callNumber: number, frame: string, note = NO_NOTE): Promise<void> {
    const { length } = frame;
    if (length <= INLINE_MAX) return this.add(stream, callNumber, frame, length, note);
    return this.sendLarge(stream, callNumber, frame, note);
  }

  private async sendLarge(stream: string, callNumber: number, frame: string, note: ReplyNote): Promise<void> {
    const { length } = frame;
    if (!(await this.reserve(stream, length))) {
      this.droppedReplies += 1;
      return;
    }
    const key = `${stream}:${callNumber}`;
    if (length > HUGE) await nextTurn();
    try {
      await this.redis.set(key, frame, 'PX', LARGE_TTL_MS);
    } catch (error) {
      this.streamOf(stream).reserved -= length;
      throw error;
    }
    return this.add(stream, callNumber, `@${key}`, length, note);
  }

  /**
   * Tells the API process that a call was moved to the slow lane: by a field with the negative number, to which an earlier release finds no
   * call.
   */
  noteMoved(stream: string, callNumber: number): Promise<void> {
    return this.add(stream, -callNumber, '', 0, NO_NOTE);
  }

  private add(
    stream: string,
    callNumber: number,
    frame: string,
    size: number,
    { cost, ranUntil }: ReplyNote,
  ): Promise<void> {
    const pending = this.pending.get(stream) ?? this.open(stream);
    if (cost !== undefined) {
      pending.fields.push(COST_FIELD, String(cost));
      pending.sizes.push(0);
    }
    if (ranUntil !== undefined) {
      pending.fields.push('', String(ranUntil));
      pending.sizes.push(0);
    }
    pending.fields.push(String(callNumber), frame);
    pending.sizes.push(size);
    return pending.written;
  }

  private open(stream: string): Pending {
    const fields: string[] = [];
    const sizes: number[] = [];
    const written = new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        this.pending.delete(stream);
        this.write(stream, fields, sizes).then(resolve, reject);
      });
    });
    const pending = { fields, sizes, written };
    this.pending.set(stream, pending);
    return pending;
  }

  private async write(name: string, fields: string[], sizes: number[]): Promise<void> {
    let from = 0;
    let inEntry = 0;
    // Entries are written concurrently: each may wait for room that another one holds.
    const written: Promise<void>[] = [];
    for (const index of sizes.keys()) {
      const { length } = fields[2 * index + 1] as string;
      if (inEntry > 0 && inEntry + length > ENTRY_MAX) {
        let to = index;
        while (to > from + 1 && isNote(fields[2 * (to - 1)])) to -= 1;
        written.push(this.writeEntry(name, fields.slice(2 * from, 2 * to), sizes.slice(from, to)));
        from = to;
        inEntry = 0;
      }
      inEntry += length;
    }
    written.push(this.writeEntry(name, fields.slice(2 * from), sizes.slice(from)));
    await Promise.all(written);
  }

  private async writeEntry(name: string, fields: string[], sizes: number[]): Promise<void> {
    const apart: string[] = [];
    let bytes = 0;
    let reserved = 0;
    for (const [index, size] of sizes.entries()) {
      const frame = fields[2 * index + 1] as string;
      bytes += size;
      if (!frame.startsWith('@')) continue;
      apart.push(frame.slice(1));
      reserved += size;
    }
    // An entry with references to larger replies does not wait: those have room reserved, and the inline rest is small.
    if (reserved === 0) {
      if (!(await this.reserve(name, bytes))) {
        this.droppedReplies += countReplies(fields);
        return;
      }
      reserved = bytes;
    }
    const stream = this.streamOf(name);
    const id = await this.redis.xadd(name, 'NOMKSTREAM', '*', ...fields).finally(() => {
      stream.reserved -= reserved;
    });
    if (id !== null) {
      stream.unread.add(id, bytes);
      return;
    }
    this.droppedReplies += countReplies(fields);
    if (stream.reserved === 0) this.streams.delete(name);
    for (const key of apart) this.redis.unlink(key).catch(() => undefined);
  }

  /** Waits for room and reserves it. False if the replies are to be dropped. */
  private async reserve(name: string, bytes: number): Promise<boolean> {
    let stream = this.streamOf(name);
    // Check again after waiting: another writer may have taken all the room.
    while (takenOf(stream) + bytes > UNREAD_MAX && takenOf(stream) > UNREAD_MAX / 2) {
      if (!(await this.untilRoom(name, stream))) return false;
      // Meanwhile another writer may have found that the stream is gone, and forgotten it.
      stream = this.streamOf(name);
    }
    stream.reserved += bytes;
    return true;
  }

  private streamOf(name: string): Stream {
    const usedAt = performance.now();
    const known = this.streams.get(name);
    if (known !== undefined) {
      known.usedAt = usedAt;
      return known;
    }
    // Forgets streams of processes that have ended.
    for (const [other, stream] of this.streams)
      if (stream.room === null && stream.reserved === 0 && usedAt - stream.usedAt > FORGET_MS)
        this.streams.delete(other);
    const stream = { unread: new UnreadReplies(name), reserved: 0, room: null, stalled: false, usedAt };
    this.streams.set(name, stream);
    return stream;
  }

  private untilRoom(name: string, stream: Stream): Promise<boolean> {
    stream.room ??= this.waitForRoom(name, stream).finally(() => {
      stream.room = null;
    });
    return stream.room;
  }

  private async waitForRoom(name: string, stream: Stream): Promise<boolean> {
    for (const until = performance.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
      await stream.unread.refresh(this.redis);
      if (takenOf(stream) <= UNREAD_MAX / 2) {
        stream.stalled = false;
        return true;
      }
      if (stream.stalled) return false;
      if (performance.now() < until) continue;
      stream.stalled = true;
      this.onStalled(name);
      return false;
    }
  }
}

// A note belongs to the reply that follows.
function isNote(field: string | undefined): boolean {
  return field === '' || field === COST_FIELD;
}

function countReplies(fields: readonly string[]): number {
  return fields.filter((field, at) => at % 2 === 0 && !isNote(field)).length;
}

function takenOf({ unread, reserved }: Stream): number {
  return unread.bytes + reserved;
}
