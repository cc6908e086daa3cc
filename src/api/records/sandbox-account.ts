import type { FastifyRequest } from 'fastify';
import type { MessengerAccount } from '../../directory/collections.ts';
import { Problem } from '../../problem.ts';

/** The account that a route is about; 409 with `detail` where it is not one of the sandbox. */
export function sandboxAccount(request: FastifyRequest, detail: string): MessengerAccount {
  const account = request.record as MessengerAccount;
  if (account.driver === 'sandbox') return account;
  throw new Problem('conflict', { detail });
}
