import { z } from 'zod';
import { CALL_STATUSES, type CallStatus } from '../../async-calls/async-call.ts';
import { listWorkspacesWithCalls } from '../../async-calls/due-workspaces.ts';
import type { CallList } from '../../async-calls/find-call-ids.ts';
import { maySee, type Principal, viewOf } from '../../directory/principal.ts';
import { findRecord } from '../../directory/records.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { listQuery } from './list-query.ts';

const id = z.string('Give it once').min(1, 'An id is needed').max(100).optional();

/** A filter of async calls. */
export interface CallFilter {
  workspaceId?: string | undefined;
  messengerAccountId?: string | undefined;
  status?: CallStatus | undefined;
}

/** The query of the list of async calls. */
export const callListQuery = listQuery(null).extend({
  workspaceId: id.describe('Only calls of this workspace'),
  messengerAccountId: id.describe('Only calls of this account'),
  status: z
    .enum(CALL_STATUSES, `One of ${CALL_STATUSES.join(', ')} is needed, once`)
    .optional()
    .describe('Only calls of this status; `failed` ones are the dead letters'),
});

/** The calls that match the filter and that the principal may see. Unknown ids give an empty list. */
export async function callListOf(
  redis: RedisConnection,
  principal: Principal,
  { workspaceId, messengerAccountId, status }: CallFilter,
): Promise<CallList & { name: string }> {
  const name = [
    'calls',
    viewOf(principal, 'messenger-accounts'),
    workspaceId,
    messengerAccountId,
    status,
    'id',
  ];
  return {
    workspaceIds: await findWorkspaces(redis, principal, workspaceId, messengerAccountId),
    status,
    accountId: messengerAccountId,
    name: name.map((part) => part ?? '').join('\0'),
  };
}

async function findWorkspaces(
  redis: RedisConnection,
  principal: Principal,
  wanted: string | undefined,
  accountId: string | undefined,
): Promise<string[]> {
  const own = wanted ?? (principal.kind === 'key' ? principal.workspaceId : null);
  const account =
    own === null && accountId !== undefined ? await findRecord(redis, 'messenger-accounts', accountId) : null;
  const workspaceId = own ?? account?.workspaceId ?? null;
  if (workspaceId === null) return listWorkspacesWithCalls(redis, viewOf(principal, 'workspaces'));
  const workspace = await findRecord(redis, 'workspaces', workspaceId);
  if (workspace === null) return [];
  return maySee(principal, { organizationId: workspace.organizationId, workspaceId }) ? [workspaceId] : [];
}
