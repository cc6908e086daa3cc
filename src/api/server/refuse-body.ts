import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';

/** Throws `invalid_body` for a request with a body, on routes that take none. */
export function refuseBody({ body }: FastifyRequest): void {
  if (body === undefined) return;
  throw new Problem('invalid_body', { errors: [{ pointer: '', detail: 'No body is taken here.' }] });
}
