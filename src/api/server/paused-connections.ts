import type { Pipeline } from './pipeline.ts';

// The most unparsed bytes that are kept, of all connections together.
const BYTES_MAX = 64 * 1024 * 1024;

// After a chunk of this length, the system may have more, and the end of the stream.
const CHUNK = 64 * 1024;

/** The connections with unparsed bytes. They are not read beyond the current turn of the event loop. */
export class PausedConnections {
  /** All connections, paused or not. */
  private readonly connections = new Set<Pipeline>();
  /** Those that were added in this turn. */
  private readonly added: Pipeline[] = [];
  /** Those that were resumed since `holdAdded` was called last. */
  private readonly resumed = new Set<Pipeline>();
  private bytes = 0;

  /** Notes a new connection, which is to be removed when it closes. */
  note(pipeline: Pipeline): void {
    this.connections.add(pipeline);
  }

  /**
   * Notes a connection whose socket was resumed. What the socket has kept is passed on now, and the end of the stream may be read before
   * this turn ends.
   */
  noteResumed(pipeline: Pipeline): void {
    // A new connection has kept nothing, and thousands may come and ask nothing.
    if (pipeline.heads > 0 && this.connections.has(pipeline)) this.resumed.add(pipeline);
  }

  /** Adds a connection, or updates its byte count. False if there is no room for the bytes. */
  add(pipeline: Pipeline): boolean {
    const { pause, unread } = pipeline;
    this.bytes += unread.size - pause.bytes;
    pause.isOn = true;
    pause.isOld = false;
    pause.bytes = unread.size;
    const hasRoom = this.bytes <= BYTES_MAX;
    if (unread.size >= CHUNK || this.resumed.has(pipeline)) pipeline.hold();
    else if (hasRoom && !pause.isListed) {
      pause.isListed = true;
      this.added.push(pipeline);
    }
    return hasRoom;
  }

  /** Takes a connection out, so that it is read again. */
  release(pipeline: Pipeline): void {
    const { pause } = pipeline;
    this.bytes -= pause.bytes;
    pause.isOn = false;
    pause.bytes = 0;
    pipeline.release();
  }

  /** Removes a closed connection. */
  remove(pipeline: Pipeline): void {
    this.release(pipeline);
    this.connections.delete(pipeline);
    this.resumed.delete(pipeline);
  }

  /**
   * Call it at the end of a turn. Stops reading the connections that were added in it and are still here. Most are not, and pausing and
   * resuming costs system calls.
   */
  holdAdded(): void {
    for (const pipeline of this.added) {
      pipeline.pause.isListed = false;
      if (pipeline.pause.isOn) pipeline.hold();
    }
    this.added.length = 0;
    this.resumed.clear();
  }

  /** Finds out which clients are gone: a connection that is not read notices this only by a write. */
  probe(): void {
    for (const pipeline of this.connections) {
      const { pause } = pipeline;
      if (!pause.isOn) continue;
      if (pause.isOld) pipeline.probe();
      pause.isOld = true;
    }
  }
}
