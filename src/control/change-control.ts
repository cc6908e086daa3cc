import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { type AuditChange, auditArgs, auditKeys, NOTE } from './audit.ts';

/** The number of resumes, and a random value that changes with every change. */
export const CONTROL_VERSION = directoryKey('control-version');

/** Hash: `<kind>:<id>` -> pause as JSON. */
export const PAUSES = directoryKey('pauses');

/** Hash: `all` -> settings as JSON. */
export const SETTINGS = directoryKey('settings');

/** How many pauses there may be. */
export const PAUSES_MAX = 1_000;

/**
 * It may run when Redis' memory is full: it writes little, and an operator may want to pause something then.
 *
 * KEYS 1 hash, 2 version, 3 entries of the audit list, 4 list
 * ARGV 1 field, 2 its value as it was read, or '', 3 new value, or '' to remove it, 4 random value, 5 most fields, 6 `1` if the change
 *      resumes held calls, 7… arguments for the audit list
 * Result 1; 0 if the value has changed since it was read, -1 if there are too many fields: then nothing was written
 */
const change = new Script(`#!lua flags=allow-oom
${NOTE}
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
elseif ARGV[2] == '' and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then return -1
else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
local round = tonumber(string.match(redis.call('GET', KEYS[2]) or '0', '^%d+')) + tonumber(ARGV[6])
redis.call('SET', KEYS[2], string.format('%.0f %s', round, ARGV[4]))
note(KEYS[3], {KEYS[4]}, unpack(ARGV, 7))
return 1
`);

/** A new value, or null to remove it, and the change for the audit list. */
interface Wanted<Value> {
  value: Value | null;
  change: AuditChange;
  /** Whether the change resumes held calls. */
  resumes: boolean;
}

/**
 * Changes a value of a hash and adds the change to the audit list, in one step and with optimistic concurrency. `decide` returns null to
 * change nothing. Returns the value afterwards, or `full` if a new field would exceed `max`.
 */
export async function changeControl<Value extends object>(
  redis: RedisConnection,
  { key, field, max }: { key: string; field: string; max: number },
  decide: (before: Value | null) => Wanted<Value> | null,
): Promise<Value | null | 'full'> {
  let tried: string | undefined;
  for (;;) {
    const before = await redis.hget(key, field);
    const found = before === null ? null : (JSON.parse(before) as Value);
    // A script that is resent after the connection was cut finds its own change.
    if (before === tried) return found;
    const wanted = decide(found);
    if (wanted === null) return found;
    tried = wanted.value === null ? undefined : JSON.stringify(wanted.value);
    const random = randomBytes(12).toString('base64url');
    const args = [field, before ?? '', tried ?? '', random, max, wanted.resumes ? 1 : 0];
    const keys = [key, CONTROL_VERSION, ...auditKeys()];
    const changed = await change.run(redis, keys, [...args, ...auditArgs(wanted.change)]);
    if (changed === -1) return 'full';
    if (changed === 1) return wanted.value;
  }
}

/**
 * KEYS 1 hash, 2 version
 * ARGV 1 random value, 2… fields
 * Result nil
 */
const remove = new Script(`#!lua flags=allow-oom
if redis.call('HDEL', KEYS[1], unpack(ARGV, 2)) == 0 then return end
local round = tonumber(string.match(redis.call('GET', KEYS[2]) or '0', '^%d+')) + 1
redis.call('SET', KEYS[2], string.format('%.0f %s', round, ARGV[1]))
`);

/**
 * Removes pauses of deleted records; the audit list still shows who set them. Async calls of a deleted account that are still held are
 * resumed, which ends them.
 */
export async function removePauses(redis: RedisConnection, fields: string[]): Promise<void> {
  if (fields.length === 0) return;
  await remove.run(redis, [PAUSES, CONTROL_VERSION], [randomBytes(12).toString('base64url'), ...fields]);
}
