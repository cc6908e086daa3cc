import { stateKey } from '../redis/keys.ts';
import { ASYNC_PREFIX } from '../state/state-key.ts';
import { type CallStatus, END_STATUSES } from './async-call.ts';

/**
 * What is kept of a workspace's async calls, by the names of `Transaction`. An entry is `<call id> <account id>`.
 *
 *   async:call:<id>       hash: call (JSON), attempts, startedAt, running (which attempt), interrupted (its process died), killed (how
 *                         many processes in which it was alone), runAt, problem (of the last attempt), makers (ids of the API keys behind it)
 *   async:waiting         sorted set: entry -> when it may run; it has no job
 *   async:placed          sorted set: entry -> when its job was added, or looked after last
 *   async:expiring        sorted set: entry -> when it expires; every call that has not ended
 *   async:ended:<status>  sorted set: `<entry> <status>` -> when it ended
 *   async:ended           the same of any status, as earlier releases wrote it
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

/** Where the calls are that ended with a status. */
export function endedName(status: CallStatus): string {
  return `${ENDED}:${status}`;
}

/** Everywhere that calls are that have ended, with one status or any. */
export function endedLists(status?: CallStatus): string[] {
  const statuses = END_STATUSES.filter((one) => status === undefined || one === status);
  return [...statuses.map(endedName), ENDED];
}

/** The lists that show a call because of its status. */
export function statusLists(status: CallStatus, accountId: string): [string, string] {
  return [listName({ status }), listName({ status, accountId })];
}

/** The lists that show a call whatever its status. */
export function plainLists(accountId: string): [string, string] {
  return [listName({}), listName({ accountId })];
}

export function entryOf(callId: string, accountId: string): string {
  return `${callId} ${accountId}`;
}

/** The full keys of names. */
export function keysOf(workspaceId: string, names: string[]): string[] {
  return names.map((name) => stateKey(workspaceId, name));
}
