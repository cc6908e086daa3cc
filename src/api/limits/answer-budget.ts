import type { ServerResponse } from 'node:http';
import { Problem } from '../../problem.ts';
import { type AnswerPermit, AnswerThrottle } from '../server/answer-throttle.ts';
import { ByteShares, type HeldBytes } from '../server/byte-shares.ts';
import { ExpectedAnswers } from './expected-answers.ts';

// The socket buffer takes this much of an answer at once, also for each pipelined request.
const SMALL_BYTES = 8 * 1024;

const SHORT_LENGTH = 1024;

// An organization with less room than this is refused before the read.
const LARGE_BYTES = 64 * 1024;

const RETRY_AFTER_MAX_SECONDS = 5;

/**
 * Bounds the bytes of unsent answers in a process. An answer's expected size is reserved when its request is admitted; its bytes are held
 * until the client has read them or disconnects. An organization holds at most as much as is left for all others. Small answers are not
 * counted.
 */
export class AnswerBudget {
  readonly expected = new ExpectedAnswers();
  readonly shares: ByteShares;
  readonly throttle = new AnswerThrottle();

  constructor(max: number) {
    this.shares = new ByteShares(max);
  }

  /** Bytes held and reserved. */
  get bytes(): number {
    return this.shares.bytes;
  }

  /** Returns a problem if an organization holds too much for another large answer. */
  check(organizationId: string): Problem | null {
    return this.shares.hasRoom(organizationId, LARGE_BYTES) ? null : tooManyUnread();
  }
}

/** The bytes of the budget that a response holds until it closes. */
export class HeldAnswer {
  private readonly budget: AnswerBudget;
  private readonly response: ServerResponse;
  private readonly organizationId: string;
  private share: HeldBytes | null = null;
  /** The response's bytes, made and reserved. */
  private size = 0;
  /** Those that are granted: to give back one of the same size that still waits would leave its call without an answer. */
  private readonly permits: AnswerPermit[] = [];

  constructor(budget: AnswerBudget, response: ServerResponse, organizationId: string) {
    this.budget = budget;
    this.response = response;
    this.organizationId = organizationId;
  }

  /**
   * Reserves bytes for the answer, or for a part of it; `hold` must follow. Returns null if the answer may be made now, else a promise that
   * resolves within `waitMs`. Throws a problem if there is no room.
   */
  reserve(bytes: number, waitMs: number): Promise<void> | null {
    const size = this.size + bytes;
    if (countedBytes(size) > 0) {
      if (this.response.destroyed) throw new Problem('canceled');
      const share = this.openShare();
      const more = countedBytes(size) - share.bytes;
      if (more > 0 && !share.hasRoom(more)) throw tooManyUnread();
      share.add(more);
    }
    this.size = size;
    if (bytes <= SMALL_BYTES) return null;
    const permit = this.budget.throttle.take(this.organizationId, bytes, waitMs);
    if (permit.granted !== null) return permit.granted.then(() => void this.permits.push(permit));
    this.permits.push(permit);
    return null;
  }

  /**
   * Holds the bytes made in place of those reserved. `repeatable` says that they answer a read, which can be made again: if such bytes do not
   * fit, it returns false and holds nothing for them, and the caller must drop them.
   */
  hold(reserved: number, made: number, repeatable: boolean): boolean {
    // The permits of a bulk for the same size are interchangeable.
    const permit = reserved > SMALL_BYTES ? this.permits.find(({ bytes }) => bytes === reserved) : undefined;
    if (permit !== undefined) {
      this.permits.splice(this.permits.indexOf(permit), 1);
      this.budget.throttle.giveBack(this.organizationId, permit, made);
    } else if (made > SMALL_BYTES) this.budget.throttle.count(this.organizationId, made);
    const size = this.size - reserved + made;
    if (this.response.destroyed) return true;
    const held = this.share?.bytes ?? 0;
    const isKept = this.mayHold(countedBytes(size) - held, repeatable);
    this.size = isKept ? size : size - made;
    const more = countedBytes(this.size) - held;
    if (more !== 0) this.openShare().add(more);
    return isKept;
  }

  private mayHold(more: number, repeatable: boolean): boolean {
    return more <= 0 || !repeatable || this.openShare().hasRoom(more);
  }

  private openShare(): HeldBytes {
    if (this.share !== null) return this.share;
    const share = this.budget.shares.join(this.organizationId);
    this.response.once('close', () => share.release());
    this.share = share;
    return share;
  }
}

// A small response does not count; a larger one counts as a whole, however many answers it has.
function countedBytes(size: number): number {
  return size <= SMALL_BYTES ? 0 : size;
}

/** How many bytes an answer takes until it is sent: up to three for each character. Those of a short one are not worth counting. */
export function bytesOf(answer: string): number {
  return answer.length < SHORT_LENGTH ? answer.length : Buffer.byteLength(answer);
}

/** The problem of a request whose answer does not fit. */
export function tooManyUnread(): Problem {
  return new Problem('overloaded', {
    detail: 'Large answers are unread. Read them, ask for less at once, or retry later.',
    headers: { 'retry-after': String(1 + Math.floor(Math.random() * RETRY_AFTER_MAX_SECONDS)) },
  });
}
