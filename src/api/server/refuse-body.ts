import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';

/** Throws `invalid_body` for a request with a body other than `{}`, on routes that take none. */
export function refuseBody({ body }: FastifyRequest): void {
  if (body === undefined || isEmpty(body)) return;
  throw new Problem('invalid_body', {
    errors: [{ pointer: '', detail: 'This request takes no body: leave it out, or send {}.' }],
  });
}

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}
