import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';

/** Throws `invalid_body` where a request has a body, for routes that take none: what somebody meant by it is not ignored. */
export function refuseBody({ body }: FastifyRequest): void {
  if (body === undefined) return;
  throw new Problem('invalid_body', { errors: [{ pointer: '', detail: 'No body is taken here.' }] });
}
