import { stateKey } from '../redis/keys.ts';
import { ASYNC_PREFIX } from '../state/state-key.ts';
import { type CallStatus, END_STATUSES } from './async-call.ts';

/**
 * The keys of a workspace's async calls, by their names within the workspace. An entry is `<call id> <account id>`.
 *
 *   async:call:<id>       hash: call (JSON), attempts, startedAt, running (which attempt), interrupted (its process died), killed (how
 *                         many processes died while it ran alone there), lastKill (how many attempts there were before the last of
 *                         these began), waits (it left a process of its own, as it had to wait), runAt, problem (of the last attempt),
 *                         makers (ids of the API keys behind it)
 *   async:waiting         sorted set: entry -> when it may run, or later than any time while the call is held; it has no job
 *   async:placed          sorted set: entry -> when its job was last added
 *   async:expiring        sorted set: entry -> when it expires; all calls that have not ended
 *   async:ended:<status>  sorted set: `<entry> <status>` -> when it ended
 *   async:ended           the same for any status, as earlier releases wrote it
 *   async:list:<name>     sorted set, every score 0: ids of the calls of a list
 */
const PREFIX = ASYNC_PREFIX;

export const WAITING = `${PREFIX}:waiting`;
export const PLACED = `${PREFIX}:placed`;
export const EXPIRING = `${PREFIX}:expiring`;
const ENDED = `${PREFIX}:ended`;

export function callName(callId: string): string {
  return `${PREFIX}:call:${callId}`;
}

/** The list of the calls of an account, of a status, of both or of neither. */
export function listName(filter: {
  status?: CallStatus | undefined;
  accountId?: string | undefined;
}): string {
  return [PREFIX, 'list', filter.status ?? 'any', filter.accountId ?? 'all'].join(':');
}

/** The set of calls that ended with a status. */
export function endedName(status: CallStatus): string {
  return `${ENDED}:${status}`;
}

/** The sets of ended calls, of one status or of all. */
export function endedLists(status?: CallStatus): string[] {
  const statuses = END_STATUSES.filter((one) => status === undefined || one === status);
  return [...statuses.map(endedName), ENDED];
}

/** The lists that a call is in because of its status. */
export function statusLists(status: CallStatus, accountId: string): [string, string] {
  return [listName({ status }), listName({ status, accountId })];
}

/** The lists that a call is in regardless of its status. */
export function plainLists(accountId: string): [string, string] {
  return [listName({}), listName({ accountId })];
}

export function entryOf(callId: string, accountId: string): string {
  return `${callId} ${accountId}`;
}

/** Converts names to full keys. */
export function keysOf(workspaceId: string, names: string[]): string[] {
  return names.map((name) => stateKey(workspaceId, name));
}
