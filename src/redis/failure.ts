import { cutsOf, type RedisConnection } from './connections.ts';

const UNAVAILABLE_REPLIES =
  /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|OOM|UNKILLABLE|BUSY) /;
const CONNECTION_FAILURES =
  /^(Command timed out|Command aborted|Socket timeout|Connection is closed|Stream isn't writeable|All sentinels|None of startup|Too many Cluster redirections|Cluster is|No sharded subscriber)/;

/**
 * Before a command: what comes back tells of its failure whether it is Redis' own word that the command was not carried out,
 * because it cannot serve now.
 */
export function watchForRefusal(redis: RedisConnection): (error: unknown) => boolean {
  const cuts = cutsOf(redis);
  // What was under way when a connection was cut is sent again, and a refusal then says nothing of the first time.
  return (error) => isRefusal(error) && cutsOf(redis) === cuts;
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'ReplyError' && UNAVAILABLE_REPLIES.test(`${error.message} `)
  );
}

/** Whether an error says that Redis cannot serve now: unreachable, too slow, loading, without memory, or not the master. */
export function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'MaxRetriesPerRequestError' || error.name === 'ClusterAllFailedError') return true;
  if (error.name === 'ReplyError') return UNAVAILABLE_REPLIES.test(`${error.message} `);
  if ('syscall' in error && 'code' in error)
    return /^(ECONN|ETIMEDOUT|EPIPE|EHOST|ENET|ENOTFOUND|EAI_)/.test(String(error.code));
  return CONNECTION_FAILURES.test(error.message);
}

/** Whether an error says that Redis' memory is full. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && error.message.startsWith('OOM ');
}

/** What is said to those who are refused because of an error that says that Redis cannot serve now. */
export function detailOf(error: unknown): { detail?: string } {
  return isOutOfMemory(error)
    ? { detail: 'There is no memory left for what this would keep. Reading and deleting go on.' }
    : {};
}

/** An error that Redis reported for a part of a command. */
export class ReplyError extends Error {
  override name = 'ReplyError';
}
