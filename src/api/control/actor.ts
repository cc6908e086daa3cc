import * as z from 'zod';
import type { Actor } from '../../control/audit.ts';
import type { Principal } from '../../directory/principal.ts';
import { findRecord } from '../../directory/records.ts';
import type { RedisConnection } from '../../redis/connections.ts';

/** The principal that has changed something. */
export const actor = z.object({
  id: z.string().nullable().describe('The API key; null for the root key'),
  name: z.string(),
});

/** The principal of a request, for the audit list. */
export async function actorOf(redis: RedisConnection, principal: Principal): Promise<Actor> {
  if (principal.kind === 'root') return { id: null, name: 'root key' };
  const key = await findRecord(redis, 'api-keys', principal.keyId);
  return { id: principal.keyId, name: key?.name ?? '' };
}
