import type { RedisConnection } from '../redis/connections.ts';
import { couriersKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { type LineOwner, lineKey } from './line-keys.ts';

/** How many deliveries are on their way to one webhook at once. */
const PLACES = 8;

/** How many are on their way to all webhooks of a workspace, so that receivers that hang cost others nothing. */
const WORKSPACE_PLACES = 16;

const FORGET_MS = 600_000;

/**
 * KEYS 1 places and 2 crowd of the webhook, 3 places and 4 crowd of its workspace
 * ARGV 1 who wants a place, 2 its name in the workspace, 3 for how long (ms), 4 places of a webhook, 5 of a workspace,
 *      6 after how long all is forgotten (ms)
 * Result: 1, or 0 when all places are taken: it then waits in the crowd of what is full.
 */
export const take = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function expire(key) redis.call('PEXPIRE', key, ARGV[6]) end
local function wait(crowd, name)
  redis.call('ZADD', crowd, 'NX', now, name)
  expire(crowd)
  return 0
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return wait(KEYS[2], ARGV[1]) end
  if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[5]) then return wait(KEYS[4], ARGV[2]) end
end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[3], now + ARGV[3], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[2])
expire(KEYS[1])
expire(KEYS[3])
return 1
`);

/**
 * KEYS 1 places and 2 crowd of the webhook, 3 places and 4 crowd of its workspace
 * ARGV 1 who leaves its place, 2 its name in the workspace
 * Result: who has waited longest for a place at the webhook or '', and at its workspace or ''.
 */
export const leave = new Script(`
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[2])
return {redis.call('ZPOPMIN', KEYS[2])[1] or '', redis.call('ZPOPMIN', KEYS[4])[1] or ''}
`);

/** Something that waits for a place: a line or a delivery of a webhook. */
export interface Waiting {
  webhookId: string;
  name: string;
}

/** Takes or keeps a place for `ms`; false when there is none now. The name is the line or the delivery that wants it. */
export async function takePlace(
  redis: RedisConnection,
  owner: LineOwner,
  name: string,
  ms: number,
): Promise<boolean> {
  const args = [name, inWorkspace(owner, name), ms, PLACES, WORKSPACE_PLACES, FORGET_MS];
  return (await take.run(redis, keysOf(owner), args)) === 1;
}

/** Gives a place back; names those who may try for it: whoever has waited longest at the webhook, and at its workspace. */
export async function leavePlace(redis: RedisConnection, owner: LineOwner, name: string): Promise<Waiting[]> {
  const found = await leave.run(redis, keysOf(owner), [name, inWorkspace(owner, name)]);
  const [here, elsewhere] = found as [string, string];
  const [webhookId = '', other = ''] = elsewhere.split(' ');
  return [
    ...(here === '' ? [] : [{ webhookId: owner.id, name: here }]),
    ...(elsewhere === '' ? [] : [{ webhookId, name: other }]),
  ];
}

/** How many wait with it for somebody to give a place back; 0 when it does not wait. */
export async function countWaiting(redis: RedisConnection, owner: LineOwner, name: string): Promise<number> {
  const [, crowd, , workspaceCrowd] = keysOf(owner);
  const [here, elsewhere] = await Promise.all([
    redis.zscore(crowd, name),
    redis.zscore(workspaceCrowd, inWorkspace(owner, name)),
  ]);
  if (here === null && elsewhere === null) return 0;
  const counts = await Promise.all([redis.zcard(crowd), redis.zcard(workspaceCrowd)]);
  return Math.max(1, ...counts);
}

function inWorkspace({ id }: LineOwner, name: string): string {
  return `${id} ${name}`;
}

function keysOf(owner: LineOwner): [string, string, string, string] {
  const { workspaceId } = owner;
  return [
    lineKey(owner, 'places'),
    lineKey(owner, 'crowd'),
    couriersKey(workspaceId, 'places'),
    couriersKey(workspaceId, 'crowd'),
  ];
}
