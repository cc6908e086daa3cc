import type { RedisConnection } from '../../redis/connections.ts';
import { Script } from '../../redis/script.ts';

// Entries are grouped up to this size, so that the list stays short.
const STEP_BYTES = 1024 * 1024;

/**
 * KEYS 1 reply stream
 * Result id of the oldest entry, nil if there is none
 */
const findOldest = new Script(`
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
return oldest and oldest[1] or nil
`);

interface Step {
  lastId: string;
  bytes: number;
}

/**
 * Counts the bytes that this process has written to a reply stream and that are still unread. Readers remove the entries that they have
 * read.
 */
export class UnreadReplies {
  private readonly stream: string;
  private steps: Step[] = [];
  private total = 0;

  constructor(stream: string) {
    this.stream = stream;
  }

  /** An upper bound of the unread bytes: it includes those read since the last `refresh`. */
  get bytes(): number {
    return this.total;
  }

  /** Adds an entry that was written. */
  add(id: string, bytes: number): void {
    this.total += bytes;
    const last = this.steps.at(-1);
    if (last === undefined || last.bytes >= STEP_BYTES) this.steps.push({ lastId: id, bytes });
    else {
      last.bytes += bytes;
      if (isBefore(last.lastId, id)) last.lastId = id;
    }
  }

  /** Subtracts the entries that the reader has removed. */
  async refresh(redis: RedisConnection): Promise<void> {
    if (this.steps.length === 0) return;
    const before = new Map(this.steps.map((step) => [step, step.bytes]));
    const oldest = (await findOldest.run(redis, [this.stream], [])) as string | null;
    // If all was read, only what was written since this refresh began stays. Ids cannot tell: after a failover they may be lower.
    this.steps = this.steps.filter((step) =>
      oldest === null ? before.get(step) !== step.bytes : !isBefore(step.lastId, oldest),
    );
    this.total = this.steps.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

function isBefore(id: string, other: string): boolean {
  const [ms = 0, seq = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherSeq = 0] = other.split('-').map(Number);
  return ms < otherMs || (ms === otherMs && seq < otherSeq);
}
