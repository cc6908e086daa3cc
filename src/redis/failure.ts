import { disconnectsOf, type RedisConnection } from './connections.ts';

// A password that was changed is refused when a connection is made again: until its address is corrected, no command is run.
const UNAVAILABLE_REPLIES =
  /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|OOM|UNKILLABLE|BUSY|WRONGPASS|NOAUTH) /;
const CONNECTION_FAILURES =
  /^(Command timed out|Command aborted|Socket timeout|Connection is closed|Stream isn't writeable|All sentinels|None of startup|Too many Cluster redirections|Cluster is|No sharded subscriber)/;

/**
 * Call it before a command. The returned function says whether the command's error is a refusal by Redis, which means that the command
 * was not run.
 */
export function watchForRefusal(redis: RedisConnection): (error: unknown) => boolean {
  const disconnects = disconnectsOf(redis);
  // After a lost connection, commands are sent again: the refusal is of the second send, and the first may have been run.
  return (error) => isRefusal(error) && disconnectsOf(redis) === disconnects;
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'ReplyError' && UNAVAILABLE_REPLIES.test(`${error.message} `)
  );
}

/**
 * Whether an error means that Redis cannot serve now: unreachable, too slow, loading, out of memory, not the master, or refusing the password.
 */
export function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'MaxRetriesPerRequestError' || error.name === 'ClusterAllFailedError') return true;
  if (error.name === 'ReplyError') return UNAVAILABLE_REPLIES.test(`${error.message} `);
  if ('syscall' in error && 'code' in error)
    return (
      error.syscall === 'connect' ||
      /^(ECONN|ETIMEDOUT|EPIPE|EHOST|ENET|ENOTFOUND|EAI_)/.test(String(error.code))
    );
  return CONNECTION_FAILURES.test(error.message);
}

/** Whether an error means that Redis refuses the password of this process. */
export function isPasswordRefused(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && /^(WRONGPASS|NOAUTH) /.test(error.message);
}

/** Whether an error means that the user of this process may not do something in Redis. */
export function isRightMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'ReplyError' &&
    /^NOPERM |^ERR The user executing the script |\bACL failure /.test(error.message)
  );
}

/** Whether an error means that Redis' memory is full. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && error.message.startsWith('OOM ');
}

/** Whether an error means that Redis takes no writes: it cannot write to its disk, or too few replicas are there. */
export function isWriteRefused(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'ReplyError' && /^(MISCONF|NOREPLICAS) /.test(error.message)
  );
}

/** The detail of the problem for an error that means that Redis cannot serve now. */
export function detailOf(error: unknown): { detail?: string } {
  return isOutOfMemory(error)
    ? { detail: 'There is no memory left to store this. Reading and deleting still work.' }
    : {};
}

/** An error that a script reported for one part of its work. */
export class ReplyError extends Error {
  override name = 'ReplyError';
}
