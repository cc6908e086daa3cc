import type { ServerResponse } from 'node:http';
import { Problem } from '../../problem.ts';
import type { Reply } from '../../queue/frame.ts';
import type { CallRequest } from '../../queue/submit/pending-call.ts';
import { isReadOnly } from '../../tl/is-read-only.ts';
import { type AnswerBudget, bytesOf, HeldAnswer, tooManyUnread } from '../limits/answer-budget.ts';
import type { AnswerMemory } from './sync-call.ts';

const MiB = 1024 * 1024;
// A bulk is answered once all its calls are, and its answers are held until then. A write has taken effect, so its answer is kept whatever
// its size.
const BYTES_MAX = 8 * MiB;

/** A call that waits for memory. */
interface Waiting {
  /** The expected bytes of its answer. */
  expected: number;
  start(): void;
  refuse(problem: Problem): void;
}

/**
 * Memory for the answers of a bulk. Its calls run concurrently while their expected answers fit; the others wait for these, and are refused
 * if they still do not fit when none runs any more.
 */
export class BulkAnswerMemory implements AnswerMemory {
  private readonly budget: AnswerBudget;
  private readonly answer: HeldAnswer;
  private readonly organizationId: string;
  /** The calls with a reservation -> the expected bytes of each one's answer. */
  private readonly running = new Map<CallRequest, number>();
  /** The sum of these bytes. */
  private expected = 0;
  /** The bytes of the answers that are kept. */
  private kept = 0;
  private waiting: Waiting[] = [];

  constructor(budget: AnswerBudget, response: ServerResponse, organizationId: string) {
    this.budget = budget;
    this.organizationId = organizationId;
    this.answer = new HeldAnswer(budget, response, organizationId);
  }

  reserve(call: CallRequest): Promise<void> | null {
    const expected = this.budget.expected.of(this.organizationId, call.method, call.params);
    const deadline = performance.now() + call.timeoutMs;
    if (this.fits(expected)) return this.start(call, expected, deadline);
    return new Promise<void>((resolve, reject) => {
      const start = () => resolve(this.start(call, expected, deadline) ?? undefined);
      this.waiting.push({ expected, start, refuse: reject });
      this.startFitting();
    });
  }

  hold(call: CallRequest, reply: Reply | null): Problem | null {
    const { method } = call;
    const bytes = reply === null ? 0 : bytesOf(reply.body);
    if (reply !== null && reply.status < 400) this.budget.expected.add(this.organizationId, method, bytes);
    const expected = this.running.get(call) ?? 0;
    this.running.delete(call);
    this.expected -= expected;
    const isWithinMax = !isReadOnly(method) || this.kept === 0 || this.kept + bytes <= BYTES_MAX;
    // A dropped answer has cost time too, so it counts against the rate.
    if (!isWithinMax) this.budget.throttle.count(this.organizationId, bytes);
    const isKept = this.answer.hold(expected, isWithinMax ? bytes : 0, isReadOnly(method));
    if (isWithinMax && isKept) this.kept += bytes;
    this.startFitting();
    if (!isWithinMax) return tooLarge();
    return isKept ? null : tooManyUnread();
  }

  private fits(expected: number): boolean {
    const taken = this.kept + this.expected;
    return taken === 0 || taken + expected <= BYTES_MAX;
  }

  private start(call: CallRequest, expected: number, deadline: number): Promise<void> | null {
    const granted = this.answer.reserve(expected, Math.max(0, deadline - performance.now()));
    this.running.set(call, expected);
    this.expected += expected;
    return granted;
  }

  private startFitting(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const one of waiting) {
      if (this.fits(one.expected)) startWaiting(one);
      else if (this.running.size > 0) this.waiting.push(one);
      else one.refuse(tooLarge());
    }
  }
}

function startWaiting({ start, refuse }: Waiting): void {
  // A refusal ends this call, not the one whose answer has just made room.
  try {
    start();
  } catch (problem) {
    refuse(problem as Problem);
  }
}

function tooLarge(): Problem {
  const detail = `The answers of one request may have at most ${BYTES_MAX / MiB} MiB together: send this call in another request.`;
  return new Problem('answers_too_large', { detail });
}
