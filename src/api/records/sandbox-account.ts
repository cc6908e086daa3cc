import type { FastifyRequest } from 'fastify';
import type { MessengerAccount } from '../../directory/collections.ts';
import { Problem } from '../../problem.ts';

/** The account of a route. Throws 409 with `detail` unless it is of the sandbox. */
export function sandboxAccount(request: FastifyRequest, detail: string): MessengerAccount {
  const account = request.record as MessengerAccount;
  if (account.driver === 'sandbox') return account;
  throw new Problem('conflict', { detail });
}
