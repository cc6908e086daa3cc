import { idsSince, newIdentity } from '../ids.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';

/** Who has changed something: an API key, or the root key with a null id. */
export interface Actor {
  id: string | null;
  name: string;
}

/** A change to be added to the audit list. `from` and `to` have only the members that changed; null for nothing. */
export interface AuditChange {
  by: Actor;
  action: string;
  target: { kind: string; id: string };
  from: object | null;
  to: object | null;
  /** The value of `cascade` in the request to delete. */
  cascade?: boolean;
}

/** A change in the audit list. */
export interface AuditEntry extends AuditChange {
  id: string;
  createdAt: string;
}

/** Hash: id -> entry as JSON. */
export const AUDIT_ENTRIES = directoryKey('audit');

/** Sorted sets, every score 0: ids of changes by operators, and by tenants. */
const OPERATORS = directoryKey('audit:operators');
const TENANTS = directoryKey('audit:tenants');
export const AUDIT_LISTS: readonly string[] = [OPERATORS, TENANTS];

// The bounds are per list, so that tenants cannot push out changes by operators, nor one organization those of others.
const LIMITS = { list: 50_000, organization: 1_000 };
const KEPT_MS = 365 * 86_400_000;
const CHANGE_BYTES_MAX = 1_024;

/**
 * Lua that defines `note`, which adds a change. Scripts call it with the keys of `auditKeys`, the lists in a table, and the arguments of
 * `auditArgs`.
 */
export const NOTE = `
local function note(entries, lists, id, entry, since, ...)
  redis.call('HSET', entries, id, entry)
  for i, list in ipairs(lists) do
    redis.call('ZADD', list, 0, id)
    local surplus = redis.call('ZCARD', list) - select(i, ...)
    local old = redis.call('ZRANGE', list, '-', '(' .. since, 'BYLEX', 'LIMIT', 0, 20)
    if #old < surplus then old = redis.call('ZRANGE', list, 0, math.min(surplus, 20) - 1) end
    for _, one in ipairs(old) do
      for _, other in ipairs(lists) do redis.call('ZREM', other, one) end
      redis.call('HDEL', entries, one)
    end
  end
end
`;

/**
 * It may run when Redis' memory is full: actions that free memory are recorded too.
 *
 * KEYS 1 entries, 2 list, 3 list of the organization alone, or none
 * ARGV 1 id, 2 entry, 3 lower bound of the ids of entries that are kept, 4… most entries of each list
 */
const append = new Script(`#!lua flags=allow-oom
${NOTE}
note(KEYS[1], {unpack(KEYS, 2)}, unpack(ARGV))
if KEYS[3] then redis.call('PEXPIRE', KEYS[3], ${KEPT_MS}) end
return 1
`);

/** Adds a change to the audit list: one by an operator, or by a key of an organization. */
export async function appendAudit(
  redis: RedisConnection,
  change: AuditChange,
  organizationId: string | null = null,
  limits = LIMITS,
): Promise<void> {
  await append.run(redis, auditKeys(organizationId), auditArgs(change, limits));
}

/** The keys that `note` needs. */
export function auditKeys(organizationId: string | null = null): string[] {
  if (organizationId === null) return [AUDIT_ENTRIES, OPERATORS];
  return [AUDIT_ENTRIES, TENANTS, auditListOf(organizationId)];
}

/** Sorted set, every score 0: ids of changes by keys of an organization. */
export function auditListOf(organizationId: string): string {
  return directoryKey(`audit:organization:${organizationId}`);
}

/** The arguments that `note` needs. */
export function auditArgs({ from, to, ...change }: AuditChange, limits = LIMITS): (string | number)[] {
  const { id, createdAt } = newIdentity('audit');
  const entry: AuditEntry = { id, createdAt, ...change, from: bounded(from), to: bounded(to) };
  return [id, JSON.stringify(entry), keptSince(), limits.list, limits.organization];
}

/** The lower bound of the ids of entries that are kept. */
export function keptSince(): string {
  return idsSince('audit', Date.now() - KEPT_MS);
}

function bounded(part: object | null): object | null {
  if (part === null || Buffer.byteLength(JSON.stringify(part)) <= CHANGE_BYTES_MAX) return part;
  return Object.fromEntries(Object.keys(part).map((name) => [name, '(too large to be kept)']));
}
