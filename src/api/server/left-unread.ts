import type { Pipeline } from './pipeline.ts';

// So much that has come from all connections is kept until its turn comes.
const BYTES_MAX = 64 * 1024 * 1024;

// Where a chunk is this long the system may have more, and the end of it.
const CHUNK = 64 * 1024;

interface Left {
  bytes: number;
  /** Whether it was left when that was last looked at. */
  isOld: boolean;
}

/** The connections of which something has come and waits to be parsed. None of them is read beyond the present turn of the event loop. */
export class LeftUnread {
  private readonly left = new Map<Pipeline, Left>();
  private readonly toHold = new Set<Pipeline>();
  private bytes = 0;

  has(pipeline: Pipeline): boolean {
    return this.left.has(pipeline);
  }

  /** Adds a connection, or counts what more has come of it; false where there is no room for it. */
  add(pipeline: Pipeline): boolean {
    this.bytes -= this.left.get(pipeline)?.bytes ?? 0;
    const bytes = pipeline.unread.size;
    this.left.set(pipeline, { bytes, isOld: false });
    this.bytes += bytes;
    if (bytes >= CHUNK) pipeline.hold();
    else this.toHold.add(pipeline);
    return this.bytes <= BYTES_MAX;
  }

  /** Lets a connection be read again. */
  release(pipeline: Pipeline): void {
    this.bytes -= this.left.get(pipeline)?.bytes ?? 0;
    this.left.delete(pipeline);
    this.toHold.delete(pipeline);
    pipeline.release();
  }

  /** Stops reading those that were added in this turn and are still here: most are not, and to stop and go on takes the system's time. */
  holdAdded(): void {
    for (const pipeline of this.toHold) pipeline.hold();
    this.toHold.clear();
  }

  /** Finds out which clients are gone: a connection that is not read tells only of a write. */
  probe(): void {
    for (const [pipeline, one] of this.left) {
      if (one.isOld) pipeline.probe();
      one.isOld = true;
    }
  }
}
