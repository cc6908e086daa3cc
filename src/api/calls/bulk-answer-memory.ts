import type { ServerResponse } from 'node:http';
import { Problem } from '../../problem.ts';
import type { Reply } from '../../queue/frame.ts';
import type { CallRequest } from '../../queue/submit/pending-call.ts';
import { isReadOnly } from '../../tl/is-read-only.ts';
import { type AnswerBudget, HeldAnswer, tooManyUnread } from '../limits/answer-budget.ts';
import type { AnswerMemory } from './sync-call.ts';

const MAX_BYTES = 8 * 1024 * 1024;

interface Waiting {
  expected: number;
  start(): void;
  refuse(problem: Problem): void;
}

/**
 * Memory for the answers of a bulk. Its calls run concurrently while their expected answers fit; others wait until the first
 * ones have answered, and are refused if there is still no room.
 */
export class BulkAnswerMemory implements AnswerMemory {
  private readonly answers: AnswerBudget;
  private readonly held: HeldAnswer;
  private readonly organizationId: string;
  private readonly running = new Map<CallRequest, number>();
  private expected = 0;
  private gathered = 0;
  private waiting: Waiting[] = [];

  constructor(answers: AnswerBudget, response: ServerResponse, organizationId: string) {
    this.answers = answers;
    this.organizationId = organizationId;
    this.held = new HeldAnswer(answers, response, organizationId);
  }

  reserve(call: CallRequest): Promise<void> | null {
    const expected = this.answers.expected.of(this.organizationId, call.method, call.params);
    if (this.fits(expected)) return this.start(call, expected);
    return new Promise<void>((resolve, reject) => {
      const start = () => resolve(this.start(call, expected) ?? undefined);
      this.waiting.push({ expected, start, refuse: reject });
      this.startFitting();
    });
  }

  settle(call: CallRequest, reply: Reply | null): Problem | null {
    const { method } = call;
    const bytes = reply?.body.length ?? 0;
    if (reply !== null && reply.status < 400) this.answers.expected.add(this.organizationId, method, bytes);
    const expected = this.running.get(call) ?? 0;
    this.running.delete(call);
    this.expected -= expected;
    const fits = !isReadOnly(method) || this.gathered === 0 || this.gathered + bytes <= MAX_BYTES;
    const isKept = this.held.settle(expected, fits ? bytes : 0, isReadOnly(method));
    if (fits && isKept) this.gathered += bytes;
    this.startFitting();
    return fits ? (isKept ? null : tooManyUnread()) : tooLarge();
  }

  private fits(expected: number): boolean {
    const held = this.gathered + this.expected;
    return held === 0 || held + expected <= MAX_BYTES;
  }

  private start(call: CallRequest, expected: number): Promise<void> | null {
    const granted = this.held.reserve(expected, call.timeoutMs);
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
  try {
    start();
  } catch (problem) {
    refuse(problem as Problem);
  }
}

function tooLarge(): Problem {
  const detail = `The answers of one request may weigh ${MAX_BYTES} bytes together: ask for this one in another request.`;
  return new Problem('answers_too_large', { detail });
}
