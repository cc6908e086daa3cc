import * as z from 'zod';
import { CALL_STATUSES } from '../../async-calls/async-call.ts';
import { listWorkspacesWithCalls } from '../../async-calls/due-workspaces.ts';
import type { WantedCalls } from '../../async-calls/list-calls.ts';
import type { PageRequest } from '../../directory/page.ts';
import { maySee, type Principal, viewOf } from '../../directory/principal.ts';
import { findRecord } from '../../directory/records.ts';
import { isId } from '../../ids.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { findMethod } from '../../tl/methods.ts';
import { refusalOfMethod } from '../calls/call-method.ts';
import { orderOf } from './list-order.ts';
import { idFilter, listQuery, rangeOf, sortOf } from './list-query.ts';

const finished = rangeOf('finishedAt');

/** The query of the list of async calls. */
export const callListQuery = listQuery.extend({
  sort: sortOf('finishedAt'),
  finishedAfter: finished.after,
  finishedBefore: finished.before,
  workspaceId: idFilter.describe('Only calls of this workspace'),
  messengerAccountId: idFilter.describe('Only calls of this account'),
  status: z
    .enum(CALL_STATUSES, `One of ${CALL_STATUSES.join(', ')} is needed, once`)
    .optional()
    .describe('Only calls of this status; `failed` ones are the dead letters'),
  method: z
    .string('Give it once')
    .min(1, 'A method is needed')
    .max(100)
    .refine((name) => findMethod(name) !== null, { error: ({ input }) => refusalOfMethod(String(input)) })
    .optional()
    .describe('Only calls of this method'),
});

/** The filters and the order of a list of calls. */
export type CallQuery = Omit<z.output<typeof callListQuery>, keyof PageRequest>;

/** The calls that match the query and that the principal may see. Unknown ids give an empty list. */
export async function callListOf(
  redis: RedisConnection,
  principal: Principal,
  query: CallQuery,
): Promise<WantedCalls> {
  const { workspaceId, messengerAccountId, status, method, finishedAfter, finishedBefore } = query;
  const openStatus = status === 'queued' || status === 'running' ? status : undefined;
  const ended = { member: 'finishedAt', after: finishedAfter, before: finishedBefore, openStatus };
  const { by, ...order } = orderOf('call', query, ended);
  const view = viewOf(principal, 'messenger-accounts');
  const name = [
    'calls',
    view,
    workspaceId,
    messengerAccountId,
    status,
    ...(method === undefined ? [] : [method]),
  ];
  return {
    name: name.map((part) => part ?? '').join('\0'),
    list: {
      workspaceIds: await findWorkspaces(redis, principal, workspaceId, messengerAccountId),
      status,
      accountId: messengerAccountId,
      by,
    },
    order,
    method,
  };
}

async function findWorkspaces(
  redis: RedisConnection,
  principal: Principal,
  wanted: string | undefined,
  accountId: string | undefined,
): Promise<string[]> {
  // Another text may be part of the name of a list of more calls, such as `all`.
  if (accountId !== undefined && !isId('messengerAccount', accountId)) return [];
  const own = wanted ?? (principal.kind === 'key' ? principal.workspaceId : null);
  const account =
    own === null && accountId !== undefined ? await findRecord(redis, 'messenger-accounts', accountId) : null;
  const workspaceId = own ?? account?.workspaceId ?? null;
  if (workspaceId === null) return listWorkspacesWithCalls(redis, viewOf(principal, 'workspaces'));
  const workspace = await findRecord(redis, 'workspaces', workspaceId);
  if (workspace === null) return [];
  return maySee(principal, { organizationId: workspace.organizationId, workspaceId }) ? [workspaceId] : [];
}
