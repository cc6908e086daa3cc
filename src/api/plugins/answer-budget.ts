import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AnswerBudget, HeldAnswer, tooMuch } from '../limits/answer-budget.ts';
import type { Guard } from './guards.ts';

/** Refuses reads of those who hold much that they have not taken, before anything is read for them. */
export function answerBudgetGuard(answers: AnswerBudget): Guard {
  return (route) => {
    if (route === null || !isRead(route)) return null;
    return function checkAnswers(request, _reply, done) {
      done(answers.check(organizationOf(request)) ?? undefined);
    };
  };
}

/** Counts what is answered to reads, and refuses what there is no room for; once per app, before the routes. */
export function installAnswerBudget(app: FastifyInstance, answers: AnswerBudget): void {
  app.addHook('onRoute', (route) => {
    if (!isRead(route)) return;
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      function countAnswer(request, reply, payload, done) {
        const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
        // A problem is small, and whatever is refused before the key is known has one.
        const isKept =
          reply.statusCode >= 400 ||
          new HeldAnswer(answers, reply.raw, organizationOf(request)).settle(0, bytes, true);
        if (isKept) done();
        else done(tooMuch());
      },
    ];
  });
}

function isRead({ method, config }: { method: string | string[]; config?: { public?: boolean } }): boolean {
  return config?.public !== true && [method].flat().includes('GET');
}

// What is read with the root key counts for the organization that it belongs to, once that can be told.
function organizationOf({ principal, record }: FastifyRequest): string {
  if (principal.kind === 'key') return principal.organizationId;
  return record !== null && 'organizationId' in record ? record.organizationId : 'root';
}
