import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AnswerBudget, bytesOf, HeldAnswer, tooManyUnread } from '../limits/answer-budget.ts';
import type { Guard } from './guards.ts';

// Headers that tell of an answer's content. A reader would go on behind a page that it has not got, or cache it.
const OF_CONTENT = ['etag', 'link', 'stream-next-offset', 'stream-up-to-date', 'stream-cursor'];

/** Refuses a read before it begins if its organization holds too many bytes of unsent answers. */
export function answerBudgetGuard(answers: AnswerBudget): Guard {
  return (route) => {
    if (route === null || !isRead(route)) return null;
    return (request) => answers.check(organizationOf(request)) ?? undefined;
  };
}

/** Counts the bytes of answers to reads, and refuses those that do not fit. Once per app, before the routes. */
export function installAnswerBudget(app: FastifyInstance, answers: AnswerBudget): void {
  app.addHook('onRoute', (route) => {
    if (!isRead(route)) return;
    route.onSend = [
      function countAnswer(request, reply, payload, done) {
        const bytes =
          typeof payload === 'string' ? bytesOf(payload) : Buffer.isBuffer(payload) ? payload.length : 0;
        // A problem is small, and every answer before the key is known is a problem.
        const isKept =
          reply.statusCode >= 400 ||
          new HeldAnswer(answers, reply.raw, organizationOf(request)).hold(0, bytes, true);
        if (isKept) return done();
        for (const name of OF_CONTENT) reply.removeHeader(name);
        done(tooManyUnread());
      },
      // Last, as the answer to a HEAD is made and then dropped there.
      ...[route.onSend ?? []].flat(),
    ];
  });
}

function isRead({ method, config }: { method: string | string[]; config?: { public?: boolean } }): boolean {
  return config?.public !== true && [method].flat().some((verb) => verb === 'GET' || verb === 'HEAD');
}

// A read with the root key counts for the organization that the record belongs to, once that is known.
function organizationOf({ principal, record }: FastifyRequest): string {
  if (principal.kind === 'key') return principal.organizationId;
  return record !== null && 'organizationId' in record ? record.organizationId : 'root';
}
