import { randomBytes } from 'node:crypto';
import { ID_PREFIXES, isId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { disconnectsOf, type RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { withMembers } from '../with-members.ts';
import {
  COLLECTIONS,
  type Collection,
  makersOf,
  ownersOf,
  type Records,
  type View,
  viewsOfRecord,
} from './collections.ts';
import {
  COUNT_REMAINS,
  DELETIONS,
  deletingKey,
  HAS_TOO_MANY,
  IS_GONE,
  remainsKey,
  tooManyDeletions,
} from './deletions.ts';
import { DIRECTORY_VERSION } from './directory-watch.ts';

/** Hash: id -> record as JSON. */
export function recordsKey(collection: Collection): string {
  return directoryKey(collection);
}

/** Sorted set, every score 0: the ids of a view of the collection, in lexicographic order. */
export function viewKey(collection: Collection, view: View): string {
  return directoryKey(`${collection}:${view}`);
}

/** Hash: SHA-256 of an API key's secret -> its id. */
export const API_KEY_INDEX = directoryKey('api-key-index');

/**
 * KEYS 1 records, 2 the parent's records, 3 index, 4 version of the directory, 5 deletions, 6 API keys, 7 deletions of the organization,
 *      8 remains of the organization, 9… views of the record
 * ARGV 1 id, 2 record, 3 id of the parent or '', 4 field of the index or '', 5 new version, 6 id of the key that creates it or '',
 *      7 bytes of remains that count as one more in each view, or 0, 8 number of owners, their ids, then for each view how many ids it
 *      may have, or ''
 * Result: 1; 0 if the parent or an owner does not exist, -1 if the key does not, -2 if too much of the organization is being deleted,
 *      -3 if a view would have room without the remains, -3 - n if the n-th view is full; then nothing was written.
 */
const create = new Script(`
${IS_GONE}${HAS_TOO_MANY}${COUNT_REMAINS}
-- A script that is resent after the connection was cut finds its own record.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
if ARGV[3] ~= '' and redis.call('HEXISTS', KEYS[2], ARGV[3]) == 0 then return 0 end
if ARGV[6] ~= '' and redis.call('HEXISTS', KEYS[6], ARGV[6]) == 0 then return -1 end
local owners = tonumber(ARGV[8])
if isGone(KEYS[5], unpack(ARGV, 9, 8 + owners)) then return 0 end
if hasTooMany(KEYS[7]) then return -2 end
local remains = countRemains(KEYS[8], tonumber(ARGV[7]))
for i = 9, #KEYS do
  local most, count = tonumber(ARGV[owners + i]), redis.call('ZCARD', KEYS[i])
  if most and count >= most then return 5 - i end
  if most and count + remains >= most then return -3 end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[3], ARGV[4], ARGV[1]) end
for i = 9, #KEYS do redis.call('ZADD', KEYS[i], 0, ARGV[1]) end
redis.call('SET', KEYS[4], ARGV[5])
return 1
`);

/**
 * KEYS 1 records, 2 deletions
 * ARGV 1 id
 * Result: the record, or nil if there is none or an owner of it is being deleted.
 */
const find = new Script(`
${IS_GONE}
local text = redis.call('HGET', KEYS[1], ARGV[1])
if not text or redis.call('HLEN', KEYS[2]) == 0 then return text end
local record = cjson.decode(text)
if isGone(KEYS[2], record.organizationId, record.workspaceId, unpack(record.makers or {})) then return nil end
return text
`);

/**
 * KEYS 1 records, 2 version of the directory
 * ARGV 1 id, 2 the record as it was read, 3 the new record, 4 new version
 * Result: 1, or 0 if the record has changed since it was read.
 */
const REPLACE = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[4])
return 1
`;

const replace = new Script(REPLACE);

/** The same, allowed to run when Redis' memory is full. */
const replaceWhenFull = new Script(`#!lua flags=allow-oom${REPLACE}`);

/** The scripts of this file, to be loaded at start. */
export const RECORD_SCRIPTS = [create, find, replace, replaceWhenFull];

/** The most records of a collection: in all, of an organization, of a workspace; undefined for no limit. */
export type RecordLimits = readonly (number | undefined)[];

/**
 * Writes a new record and its entries in every list at once. Throws `not_found` if its parent does not exist, `unauthorized` if the key
 * that creates it is gone, `conflict` beyond `limits`, and `rate_limited` while too much of the organization is being deleted. So many
 * bytes as `remainsEach` that deleted workspaces of the organization still keep count as a record in `limits`.
 */
export async function createRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  record: Records[C],
  { limits = [], remainsEach = 0 }: { limits?: RecordLimits; remainsEach?: number } = {},
): Promise<void> {
  const parent = COLLECTIONS[collection].parentOf(record);
  const owners = ownersOf(collection, record);
  const views = viewsOfRecord(collection, record);
  const { organizationId } = COLLECTIONS[collection].tenancyOf(record);
  const written = (await create.run(
    redis,
    [
      recordsKey(collection),
      recordsKey(parent?.collection ?? collection),
      API_KEY_INDEX,
      DIRECTORY_VERSION,
      DELETIONS,
      recordsKey('api-keys'),
      deletingKey(organizationId),
      remainsKey(organizationId),
      ...views.map((view) => viewKey(collection, view)),
    ],
    [
      record.id,
      JSON.stringify(record),
      parent?.id ?? '',
      indexField(record),
      newVersion(),
      makersOf(record).at(-1) ?? '',
      remainsEach,
      owners.length,
      ...owners,
      ...views.map((_, index) => limits[index] ?? ''),
    ],
  )) as number;
  if (written < -3)
    throw tooManyRecords(collection, views[-written - 4] as View, limits[-written - 4] as number);
  if (written === -3) throw tooManyRemains();
  if (written === -2) throw await tooManyDeletions(redis, organizationId);
  if (written === -1) throw new Problem('unauthorized', { detail: 'The API key has been deleted.' });
  if (written !== 1 && parent !== null) throw notFound(parent.collection);
}

const SETTING_NAMES: Partial<Record<Collection, string>> = {
  organizations: 'ORGANIZATIONS',
  workspaces: 'WORKSPACES',
  'messenger-accounts': 'ACCOUNTS',
  'api-keys': 'API_KEYS',
  webhooks: 'WEBHOOKS',
};

function tooManyRemains(): Problem {
  return new Problem('conflict', {
    detail:
      'Deleted workspaces of the organization still keep outcomes under Idempotency-Keys, and count until these expire: create it later, or have the operator raise WORKSPACES_PER_ORGANIZATION.',
  });
}

/** The problem of a record beyond those that a view may have. */
export function tooManyRecords(collection: Collection, view: View, max: number): Problem {
  const what = collection.replace('-', ' ');
  const scope = view === 'all' ? null : view.slice(0, view.indexOf(':'));
  const setting = `${SETTING_NAMES[collection] ?? ''}${scope === null ? '_MAX' : `_PER_${scope.toUpperCase()}`}`;
  return new Problem('conflict', {
    detail: `The limit of ${what}${scope === null ? '' : ` in this ${scope}`} is ${max}: delete some, or have the operator raise ${setting}.`,
  });
}

/**
 * The record with that id, or null. A record whose owner is being deleted counts as gone. A text that is not an id of the collection is
 * never looked up.
 */
export async function findRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  id: string,
): Promise<Records[C] | null> {
  if (!isId(COLLECTIONS[collection].idKind, id)) return null;
  const text = await find.run(redis, [recordsKey(collection), DELETIONS], [id]);
  return typeof text === 'string' ? parseRecord(collection, text) : null;
}

/** Parses a stored record. */
export function parseRecord<C extends Collection>(collection: C, text: string): Records[C] {
  return withMembers(COLLECTIONS[collection].defaults ?? {}, JSON.parse(text));
}

/** The record with that id. Throws `not_found` if there is none. */
export async function getRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  id: string,
): Promise<Records[C]> {
  const record = await findRecord(redis, collection, id);
  if (record === null) throw notFound(collection);
  return record;
}

/**
 * Changes members of a record and returns the new record. Concurrent changes are not lost: a function `changes` is called again with the
 * newer record. If Redis' memory is full it fails, unless `whenFull` is set.
 */
export async function patchRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  id: string,
  changes: Partial<Records[C]> | ((record: Records[C]) => Partial<Records[C]> | Promise<Partial<Records[C]>>),
  { whenFull = false } = {},
): Promise<Records[C]> {
  const script = whenFull ? replaceWhenFull : replace;
  const key = recordsKey(collection);
  const disconnects = disconnectsOf(redis);
  let tried: string | null = null;
  for (;;) {
    const before = await redis.hget(key, id);
    if (before === null) throw notFound(collection);
    const found = parseRecord(collection, before);
    // A script that is resent after the connection was cut finds its own change. Otherwise somebody else has made the same one.
    if (before === tried && disconnectsOf(redis) !== disconnects) return found;
    const record: Records[C] = {
      ...found,
      ...(typeof changes === 'function' ? await changes(found) : changes),
    };
    tried = JSON.stringify(record);
    const args = [id, before, tried, newVersion()];
    if ((await script.run(redis, [key, DIRECTORY_VERSION], args)) === 1) return record;
  }
}

/** The text that says that there is no such record, and where to find its id. */
export function missing(collection: Collection): string {
  const { noun, idKind } = COLLECTIONS[collection];
  return missingId(noun, idKind, collection);
}

/** The same for something that is not a record; `list` is the path of its list, below /v1. */
export function missingId(noun: string, idKind: keyof typeof ID_PREFIXES, list: string): string {
  return `There is no ${noun} with that id: it begins with ${ID_PREFIXES[idKind]}_, and GET /v1/${list} lists those there are.`;
}

/** The problem for a record that does not exist, and for one that the caller may not see. */
export function notFound(collection: Collection): Problem {
  return new Problem('not_found', { detail: missing(collection) });
}

/** A new value for the version of the directory. */
export function newVersion(): string {
  return randomBytes(12).toString('base64url');
}

/** The record's field in the API key index, or ''. */
export function indexField(record: Records[Collection]): string {
  return 'hash' in record ? record.hash : '';
}
