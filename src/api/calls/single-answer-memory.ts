import type { ServerResponse } from 'node:http';
import type { Problem } from '../../problem.ts';
import type { Reply } from '../../queue/frame.ts';
import type { CallRequest } from '../../queue/submit/pending-call.ts';
import { isReadOnly } from '../../tl/is-read-only.ts';
import { type AnswerBudget, bytesOf, HeldAnswer, tooManyUnread } from '../limits/answer-budget.ts';
import type { AnswerMemory } from './sync-call.ts';

/** Memory for the answer of a request with a single call. */
export class SingleAnswerMemory implements AnswerMemory {
  private readonly budget: AnswerBudget;
  private readonly answer: HeldAnswer;
  private readonly organizationId: string;
  private reservedBytes = 0;

  constructor(budget: AnswerBudget, response: ServerResponse, organizationId: string) {
    this.budget = budget;
    this.organizationId = organizationId;
    this.answer = new HeldAnswer(budget, response, organizationId);
  }

  reserve({ method, params, timeoutMs }: CallRequest): Promise<void> | null {
    this.reservedBytes = this.budget.expected.of(this.organizationId, method, params);
    return this.answer.reserve(this.reservedBytes, timeoutMs);
  }

  hold({ method }: CallRequest, reply: Reply | null): Problem | null {
    const bytes = reply === null ? 0 : bytesOf(reply.body);
    // Errors are small, and say nothing about the size of the next result.
    if (reply !== null && reply.status < 400) this.budget.expected.add(this.organizationId, method, bytes);
    return this.answer.hold(this.reservedBytes, bytes, isReadOnly(method)) ? null : tooManyUnread();
  }
}
