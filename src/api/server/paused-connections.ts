import type { Pipeline } from './pipeline.ts';

// The most unparsed bytes that are kept, of all connections together.
const BYTES_MAX = 64 * 1024 * 1024;

// After a chunk of this length, the system may have more, and the end of the stream.
const CHUNK = 64 * 1024;

interface Unparsed {
  bytes: number;
  /** Whether there were unparsed bytes at the last probe. */
  isOld: boolean;
}

/** The connections with unparsed bytes. They are not read beyond the current turn of the event loop. */
export class PausedConnections {
  private readonly paused = new Map<Pipeline, Unparsed>();
  private readonly toHold = new Set<Pipeline>();
  private bytes = 0;

  has(pipeline: Pipeline): boolean {
    return this.paused.has(pipeline);
  }

  /** Adds a connection, or updates its byte count. False if there is no room for the bytes. */
  add(pipeline: Pipeline): boolean {
    this.bytes -= this.paused.get(pipeline)?.bytes ?? 0;
    const bytes = pipeline.unread.size;
    this.paused.set(pipeline, { bytes, isOld: false });
    this.bytes += bytes;
    if (bytes >= CHUNK) pipeline.hold();
    else this.toHold.add(pipeline);
    return this.bytes <= BYTES_MAX;
  }

  /** Removes a connection, so that it is read again. */
  release(pipeline: Pipeline): void {
    this.bytes -= this.paused.get(pipeline)?.bytes ?? 0;
    this.paused.delete(pipeline);
    this.toHold.delete(pipeline);
    pipeline.release();
  }

  /**
   * Stops reading the connections that were added in this turn and are still here. Most are not, and pausing and resuming costs system
   * calls.
   */
  holdAdded(): void {
    for (const pipeline of this.toHold) pipeline.hold();
    this.toHold.clear();
  }

  /** Finds out which clients are gone: a connection that is not read notices this only by a write. */
  probe(): void {
    for (const [pipeline, one] of this.paused) {
      if (one.isOld) pipeline.probe();
      one.isOld = true;
    }
  }
}
