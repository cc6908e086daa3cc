import type { ServerResponse } from 'node:http';
import { Problem } from '../../problem.ts';
import { ByteShares, type HeldBytes } from '../server/byte-shares.ts';
import { MakingTurns } from '../server/making-turns.ts';
import { ExpectedAnswers } from './expected-answers.ts';

// The system takes so much of an answer at once, also for each of the requests that one connection may have under way.
const SMALL = 8 * 1024;

// An organization with no room left for so much had better not ask.
const PAGE = 64 * 1024;

const RETRY_AFTER_MAX = 5;

/**
 * Bounds the bytes of answers that a process holds: from when a request is let in, by what its answer is expected to weigh, until the
 * client has taken the answer or is gone. One organization holds at most as much as is left for all others. Small answers are not
 * counted.
 */
export class AnswerBudget {
  readonly expected = new ExpectedAnswers();
  readonly shares: ByteShares;
  readonly turns = new MakingTurns();

  constructor(max: number) {
    this.shares = new ByteShares(max);
  }

  /** How many bytes are held or expected. */
  get bytes(): number {
    return this.shares.bytes;
  }

  /** A problem when an organization holds so much that it had better not ask for more. */
  check(organizationId: string): Problem | null {
    return this.shares.hasRoom(organizationId, PAGE) ? null : tooMuch();
  }
}

/** What one response holds of the budget, until it is closed. */
export class HeldAnswer {
  private readonly budget: AnswerBudget;
  private readonly response: ServerResponse;
  private readonly organizationId: string;
  private share: HeldBytes | null = null;
  /** What it comes to: what has been made, and what is expected of the rest. */
  private size = 0;

  constructor(budget: AnswerBudget, response: ServerResponse, organizationId: string) {
    this.budget = budget;
    this.response = response;
    this.organizationId = organizationId;
  }

  /**
   * Takes room for the answer, or for a part of it, that is yet to be made; to be settled in any case. Null when it may be made now,
   * else it may be once the promise resolves. Throws a problem when there is no room.
   */
  reserve(bytes: number): Promise<void> | null {
    const size = this.size + bytes;
    if (counted(size) > 0) {
      if (this.response.destroyed) throw new Problem('canceled');
      const share = this.joined();
      const more = counted(size) - share.bytes;
      if (more > 0 && !share.hasRoom(more)) throw tooMuch();
      share.add(more);
    }
    this.size = size;
    return bytes <= SMALL ? null : this.budget.turns.take(this.organizationId, bytes);
  }

  /**
   * Puts what has been made in the place of what was reserved for it. False when there is no room for it and it can be asked for again:
   * then it is not to be kept, and nothing is held for it.
   */
  settle(reserved: number, made: number, repeatable: boolean): boolean {
    const taken = reserved > SMALL ? reserved : 0;
    if (taken > 0 || made > SMALL) this.budget.turns.giveBack(this.organizationId, taken, made);
    const size = this.size - reserved + made;
    if (this.response.destroyed) return true;
    const held = this.share?.bytes ?? 0;
    const isKept = this.mayHold(counted(size) - held, repeatable);
    this.size = isKept ? size : size - made;
    const more = counted(this.size) - held;
    if (more !== 0) this.joined().add(more);
    return isKept;
  }

  private mayHold(more: number, repeatable: boolean): boolean {
    return more <= 0 || !repeatable || this.joined().hasRoom(more);
  }

  private joined(): HeldBytes {
    if (this.share !== null) return this.share;
    const share = this.budget.shares.join(this.organizationId);
    this.response.once('close', () => share.release());
    this.share = share;
    return share;
  }
}

// Only the beginning of a response is free, however many answers it is made of.
function counted(size: number): number {
  return size <= SMALL ? 0 : size;
}

/** The answer to a request whose own answer there is no room for. */
export function tooMuch(): Problem {
  return new Problem('overloaded', {
    detail: 'Large answers wait to be taken. Read them, ask for less at once, or come again later.',
    headers: { 'retry-after': String(1 + Math.floor(Math.random() * RETRY_AFTER_MAX)) },
  });
}
