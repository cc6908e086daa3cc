import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problem.ts';
import type { Guard, RequestCheck } from './guards.ts';

const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Passes requests with an unknown `Expect` on like others: Node's own 417 has no body. */
export function installExpectation({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Answers 417 to an `Expect` other than `100-continue`. */
export const expectationGuard: Guard = () => checkExpectation;

const checkExpectation: RequestCheck = ({ headers, raw }) => {
  const { expect } = headers;
  // HTTP/1.0 has no expectations.
  if (expect === undefined || raw.httpVersionMinor === 0 || CONTINUE.test(expect)) return undefined;
  return new Problem('expectation_failed');
};
