import type { FastifyRequest } from 'fastify';
import type { MessengerAccount } from '../../directory/collections.ts';
import { hasScope, maySeeRecord } from '../../directory/principal.ts';
import { getRecord, notFound } from '../../directory/records.ts';
import type { ApiDeps } from '../deps.ts';
import { lacksScope } from '../plugins/principal.ts';

/** The account whose id a request for methods gives. Throws `not_found` or `forbidden` if the request's key may not read it. */
export async function findOwnAccount(
  { directory }: ApiDeps,
  { principal }: FastifyRequest,
  id: string,
): Promise<MessengerAccount> {
  const account = await getRecord(directory.redis, 'messenger-accounts', id);
  if (!maySeeRecord(principal, 'messenger-accounts', account)) throw notFound('messenger-accounts');
  if (!hasScope(principal, 'accounts:read')) throw lacksScope('accounts:read');
  return account;
}
