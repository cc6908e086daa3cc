import type { Records } from '../../directory/collections.ts';
import { mayChangeRecord, maySeeRecord, type Principal } from '../../directory/principal.ts';
import { findRecord, missing } from '../../directory/records.ts';
import { Problem } from '../../problem.ts';
import type { RedisConnection } from '../../redis/connections.ts';

const MEMBERS = {
  organizations: 'organizationId',
  workspaces: 'workspaceId',
} as const;

/** The record that a body names as the parent of something new. Throws `not_found` if the principal may not see it. */
export async function getParent<C extends keyof typeof MEMBERS>(
  redis: RedisConnection,
  principal: Principal,
  collection: C,
  id: string,
): Promise<Records[C]> {
  const record = await findRecord(redis, collection, id);
  if (record === null || !maySeeRecord(principal, collection, record)) {
    const detail = missing(collection);
    throw new Problem('not_found', {
      detail,
      errors: [{ pointer: `/${MEMBERS[collection]}`, detail }],
    });
  }
  if (!mayChangeRecord(principal, collection, record)) {
    throw new Problem('forbidden', {
      detail: 'An API key of a workspace creates nothing outside of it.',
    });
  }
  return record;
}
