import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { Problem } from '../../problem.ts';
import { isRedisUnavailable } from '../../redis/failure.ts';
import type { Followed } from '../../updates/follow-updates.ts';
import { SLICE_LIMITS, sizeOf, type UpdateBatch } from '../../updates/read-updates.ts';
import { SMALL_BYTES, type UnreadReader } from '../limits/unread-bytes.ts';
import { type FirstRead, takeFirst } from './read-first.ts';
import {
  controlEvent,
  type Events,
  type EventsWanted,
  eventsOf,
  madeEventsOf,
  toEvents,
} from './update-events.ts';

const SECOND = 1_000;
const HEARTBEAT_MS = 15 * SECOND;
const LIFE_MS = 60 * SECOND;
const PATIENCE_MS = 10 * SECOND;
const RECONNECT_MS = 1 * SECOND;

const WELCOME = `retry: ${RECONNECT_MS}\n: welcome\n\n`;
const HEARTBEAT = toEvents(': heartbeat\n\n');

/** The dependencies of a stream of server-sent events. */
export interface SseStream extends EventsWanted {
  raw: ServerResponse;
  followed: Followed;
  /** Updates to be sent first; room for them is reserved. */
  first: FirstRead;
  /** Its part of the organization's unread bytes. The caller that has joined it also leaves it. */
  unread: UnreadReader;
  /** Aborts when the process stops; the reader is woken then. */
  closing: AbortSignal;
}

/**
 * Sends updates as they arrive, for about a minute; the reader then reconnects with its last offset, and misses or repeats nothing.
 * Resolves when the stream has ended.
 */
export function streamUpdates(stream: SseStream): Promise<void> {
  return new Promise((resolve, reject) => new UpdateStream(stream, resolve, reject).start());
}

/** One stream. There are thousands, so an update costs each one memory read and one write. */
class UpdateStream {
  private readonly stream: SseStream;
  private readonly onEnded: () => void;
  private readonly onFailed: (error: unknown) => void;
  private readonly endsAt = performance.now() + LIFE_MS * (0.9 + Math.random() * 0.2);
  private at: Pick<UpdateBatch, 'next' | 'upToDate'> = { next: '', upToDate: false };
  /** The last offset sent to the reader. */
  private announced: string | null = null;
  private mayHaveMore = false;
  /** Whether a read is under way, or the reader has not yet taken what was sent, or there is no room for the next read. */
  private isBusy = false;
  private isWithoutRoom = false;
  /** Bytes of the next update, if it is known to be larger than what is reserved for a read; else 0. */
  private largeBytes = 0;
  private isOver = false;
  /** Ends what it waits for, so that it can end itself. */
  private giveUp: (() => void) | null = null;
  private lastWrite = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(stream: SseStream, onEnded: () => void, onFailed: (error: unknown) => void) {
    this.stream = stream;
    this.onEnded = onEnded;
    this.onFailed = onFailed;
  }

  start(): void {
    const { raw, followed, first } = this.stream;
    if (raw.destroyed) {
      this.leave();
      return;
    }
    raw.once('close', () => this.leave());
    followed.listen(this);
    raw.write(WELCOME);
    this.send(takeFirst(first));
    if (followed.hasAfter(this.at.next)) this.mayHaveMore = true;
    this.advance();
  }

  /** Reads and sends what is new; ends if the process stops. */
  wake(): void {
    this.mayHaveMore = true;
    if (this.stream.closing.aborted) this.giveUp?.();
    this.advance();
  }

  private advance(): void {
    try {
      while (!this.isOver && !this.isBusy) {
        if (this.stream.closing.aborted || performance.now() >= this.endsAt) this.finish();
        else if (this.mayHaveMore) this.sendNext();
        else break;
      }
    } catch (error) {
      this.fail(error);
    }
    if (this.timer === undefined && !this.isOver && (!this.isBusy || this.isWithoutRoom)) this.awaitBeat();
  }

  private sendNext(): void {
    this.mayHaveMore = false;
    const { followed, unread } = this.stream;
    const batch = followed.heldAfter(this.at.next);
    const bytes = batch === null ? Math.max(SLICE_LIMITS.bytes, this.largeBytes) : this.newlyHeld(batch);
    if (bytes > SMALL_BYTES && !unread.reserve(bytes)) this.awaitRoom(bytes);
    else if (batch === null) this.read();
    else this.send(batch);
  }

  /** How many more bytes are held if the reader is sent a batch and does not take it. */
  private newlyHeld(batch: UpdateBatch): number {
    const made = madeEventsOf(batch, this.stream);
    return made !== undefined && this.stream.unread.isHeld(made.chunk) ? 0 : sizeOf(batch.entries);
  }

  private awaitRoom(bytes: number): void {
    this.isBusy = true;
    this.isWithoutRoom = true;
    this.giveUp = () => {
      this.giveUp = null;
      this.isBusy = false;
      this.isWithoutRoom = false;
      this.mayHaveMore = true;
      this.advance();
    };
    this.stream.unread.whenRoom(bytes, this.giveUp);
  }

  private send(batch: UpdateBatch): void {
    // Without its updates, which a waiting stream must not hold on to.
    this.at = { next: batch.next, upToDate: batch.upToDate };
    this.largeBytes = 0;
    this.stream.followed.reached(batch.next);
    // Nothing comes where more is being read for all readers: they are woken then.
    if (!batch.upToDate && batch.entries.length > 0) this.mayHaveMore = true;
    const events = eventsOf(batch, this.stream);
    // A reader far behind whose filter lets little through is not idle, so no heartbeat comes: it still learns that this goes on, and where.
    if (events !== null || this.announced === null || this.isBeatDue())
      this.writeWithPosition(events ?? this.currentPosition());
    else this.stream.unread.take();
  }

  private isBeatDue(): boolean {
    return performance.now() - this.lastWrite >= HEARTBEAT_MS;
  }

  /** Writes events with the reader's offset. */
  private writeWithPosition(events: Events): void {
    this.announced = this.at.next;
    this.write(events);
  }

  private currentPosition(): Events {
    return controlEvent(this.at, this.stream.cursor);
  }

  private write(events: Events): void {
    this.lastWrite = performance.now();
    const full = writeEvents(this.stream.raw, events);
    if (full === null) {
      this.stream.unread.take();
    } else {
      this.stream.unread.hold(events.chunk);
      this.awaitReader(full);
    }
  }

  private read(): void {
    this.isBusy = true;
    this.stream.followed
      .readAfter(this.at.next)
      .then((batch) => {
        this.isBusy = false;
        // A single update may be larger than what was reserved for it: it is read again once there is room.
        const bytes = sizeOf(batch.entries);
        if (this.isOver) return;
        if (bytes > SLICE_LIMITS.bytes && !this.stream.unread.reserve(bytes)) {
          this.stream.unread.take();
          this.largeBytes = bytes;
          this.awaitRoom(bytes);
        } else this.send(batch);
        this.advance();
      })
      .catch((error: unknown) => {
        // A reader that reconnects gets the reason.
        if (error instanceof Problem || isRedisUnavailable(error)) this.finish();
        else this.fail(error);
      });
  }

  /** Waits until a slow reader has taken what was sent. `cutSlowReaders` disconnects one that takes too little; it can resume. */
  private awaitReader(full: Writable): void {
    this.isBusy = true;
    const { raw } = this.stream;
    this.giveUp = () => raw.destroy();
    // An answer behind others on its connection, which nobody takes yet.
    const cutIfBehind = () => raw.socket === null && raw.destroy();
    const timer = raw.socket === null ? setTimeout(cutIfBehind, PATIENCE_MS) : undefined;
    const settle = () => {
      clearTimeout(timer);
      this.giveUp = null;
      full.off('drain', settle);
      raw.off('close', settle);
      this.stream.unread.take();
      this.isBusy = false;
      this.advance();
    };
    full.on('drain', settle);
    raw.on('close', settle);
  }

  private awaitBeat(): void {
    const dueAt = Math.min(this.lastWrite + HEARTBEAT_MS, this.endsAt);
    this.timer = setTimeout(() => this.beat(), Math.max(1, dueAt - performance.now()));
  }

  private beat(): void {
    this.timer = undefined;
    if (this.isWithoutRoom) this.beatWithoutRoom();
    if (this.isBusy) return;
    if (this.isBeatDue()) {
      if (this.announced === this.at.next) this.write(HEARTBEAT);
      else this.writeWithPosition(this.currentPosition());
    }
    this.advance();
  }

  // The reader has taken all that was sent, so that its connection takes these few bytes without waiting.
  private beatWithoutRoom(): void {
    if (performance.now() >= this.endsAt) {
      this.finish();
      return;
    }
    if (this.isBeatDue()) {
      writeEvents(this.stream.raw, this.announced === this.at.next ? HEARTBEAT : this.currentPosition());
      this.announced = this.at.next;
      this.lastWrite = performance.now();
    }
    this.awaitBeat();
  }

  private finish(): void {
    if (this.isOver) return;
    const { raw, closing } = this.stream;
    if (this.announced !== this.at.next) writeEvents(raw, this.currentPosition());
    this.leave();
    endStream(raw, closing);
  }

  private fail(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    endStream(this.stream.raw, this.stream.closing);
    this.onFailed(error);
  }

  private leave(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.onEnded();
  }
}

/** Writes events after a response's first bytes. Returns the stream to wait for until it has drained, or null. */
function writeEvents(raw: ServerResponse, { bytes, chunk }: Events): Writable | null {
  const { socket } = raw;
  // A pipelined response has no socket yet, and HTTP/1.0 has no chunks.
  if (socket === null || !socket.writable || !raw.chunkedEncoding) return raw.write(bytes) ? null : raw;
  // The response would write three pieces, each with its own objects.
  return socket.write(chunk) ? null : socket;
}

/** Ends a stream. A reader that does not take the rest in time is disconnected. */
function endStream(raw: ServerResponse, closing: AbortSignal): void {
  const cut = setTimeout(() => raw.destroy(), closing.aborted ? SECOND : PATIENCE_MS);
  raw.once('close', () => clearTimeout(cut));
  const { socket } = raw;
  raw.end(() => closing.aborted && socket?.destroySoon());
}
