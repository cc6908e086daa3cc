import { randomBytes } from 'node:crypto';
import { isId } from '../ids.ts';
import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { directoryKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { COLLECTIONS, type Collection, type Records, type View, viewsOf } from './collections.ts';
import { DIRECTORY_VERSION } from './directory-watch.ts';

/** Hash: id -> record as JSON. */
export function recordsKey(collection: Collection): string {
  return directoryKey(collection);
}

/** Sorted set, every score 0: the ids that a view of the collection shows, in their own order. */
export function viewKey(collection: Collection, view: View): string {
  return directoryKey(`${collection}:${view}`);
}

/** Hash: SHA-256 of an API key's secret -> its id. */
export const API_KEY_INDEX = directoryKey('api-key-index');

/**
 * KEYS 1 records, 2 the parent's records, 3 index, 4 version of the directory, 5… views of the record
 * ARGV 1 id, 2 record, 3 id of the parent or '', 4 field of the index or '', 5 how many the last of these views may show, or '',
 *      6 another version
 * Result: 1, 0 when the parent does not exist, -1 when that view is full; then nothing was written.
 */
const create = new Script(`
if ARGV[3] ~= '' and redis.call('HEXISTS', KEYS[2], ARGV[3]) == 0 then return 0 end
if ARGV[5] ~= '' and redis.call('ZCARD', KEYS[#KEYS]) >= tonumber(ARGV[5]) then return -1 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[3], ARGV[4], ARGV[1]) end
for i = 5, #KEYS do redis.call('ZADD', KEYS[i], 0, ARGV[1]) end
redis.call('SET', KEYS[4], ARGV[6])
return 1
`);

/**
 * KEYS 1 records, 2 version of the directory
 * ARGV 1 id, 2 the record as it was read, 3 the record as it shall be, 4 another version
 * Result: 1, or 0 when the record is no longer what was read.
 */
const replace = new Script(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[4])
return 1
`);

/**
 * KEYS 1 records, 2 view of the children, 3 API key index,
 *      4, 5 records and view of the API keys that go with it, 6, 7 records and view of the webhooks that go with it,
 *      8 version of the directory, then ARGV[2] views each: of the record, of those API keys, of those webhooks
 * ARGV 1 id, 2 number of views of the record, 3 field of the index or '', 4 another version
 * Result: 1, 0 when there is no such record, -1 when it has children; then nothing was written.
 */
const remove = new Script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('ZCARD', KEYS[2]) > 0 then return -1 end
local views = tonumber(ARGV[2])
for group = 1, 2 do
  local records = KEYS[2 + group * 2]
  for _, id in ipairs(redis.call('ZRANGE', KEYS[3 + group * 2], 0, -1)) do
    local record = redis.call('HGET', records, id)
    local hash = record and cjson.decode(record).hash
    if hash then redis.call('HDEL', KEYS[3], hash) end
    redis.call('HDEL', records, id)
    for i = 1, views do redis.call('ZREM', KEYS[8 + group * views + i], id) end
  end
end
redis.call('HDEL', KEYS[1], ARGV[1])
if ARGV[3] ~= '' then redis.call('HDEL', KEYS[3], ARGV[3]) end
for i = 9, 8 + views do redis.call('ZREM', KEYS[i], ARGV[1]) end
redis.call('SET', KEYS[8], ARGV[4])
return 1
`);

/** The scripts of the records, for a readiness check. */
export const RECORD_SCRIPTS = [create, replace, remove];

/**
 * Writes a new record and its places in every list at once; `not_found` when its parent does not exist, `conflict` when that has
 * `most` of them already.
 */
export async function createRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  record: Records[C],
  { most }: { most?: number } = {},
): Promise<void> {
  const { tenancyOf, parentOf } = COLLECTIONS[collection];
  const parent = parentOf(record);
  const views = viewsOf(tenancyOf(record)).map((view) => viewKey(collection, view));
  const written = await create.run(
    redis,
    [
      recordsKey(collection),
      recordsKey(parent?.collection ?? collection),
      API_KEY_INDEX,
      DIRECTORY_VERSION,
      ...views,
    ],
    [record.id, JSON.stringify(record), parent?.id ?? '', indexField(record), most ?? '', newVersion()],
  );
  if (written === -1) {
    throw new Problem('conflict', {
      detail: `There are ${most} ${collection} already, the most there may be.`,
    });
  }
  if (written !== 1 && parent !== null) throw notFound(parent.collection);
}

/** The record with that id, or null; a text that is no id of the collection is never looked up. */
export async function findRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  id: string,
): Promise<Records[C] | null> {
  if (!isId(COLLECTIONS[collection].idKind, id)) return null;
  const text = await redis.hget(recordsKey(collection), id);
  return text === null ? null : parseRecord(collection, text);
}

/** Reads a record as it is kept. */
export function parseRecord<C extends Collection>(collection: C, text: string): Records[C] {
  return { ...COLLECTIONS[collection].defaults, ...JSON.parse(text) };
}

/** The record with that id; `not_found` when there is none. */
export async function getRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  id: string,
): Promise<Records[C]> {
  const record = await findRecord(redis, collection, id);
  if (record === null) throw notFound(collection);
  return record;
}

/** Changes members of a record, whatever else changes at the same time (`changes` may look at it); gives it as it then is. */
export async function patchRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  id: string,
  changes: Partial<Records[C]> | ((record: Records[C]) => Partial<Records[C]>),
): Promise<Records[C]> {
  const key = recordsKey(collection);
  for (;;) {
    const before = await redis.hget(key, id);
    if (before === null) throw notFound(collection);
    const found = parseRecord(collection, before);
    const record: Records[C] = { ...found, ...(typeof changes === 'function' ? changes(found) : changes) };
    const args = [id, before, JSON.stringify(record), newVersion()];
    if ((await replace.run(redis, [key, DIRECTORY_VERSION], args)) === 1) return record;
  }
}

/**
 * Deletes a record, its places in every list and the API keys and webhooks that belong to it, all at once; `not_empty` when it has
 * children. Gives whether it was there.
 */
export async function deleteRecord<C extends Collection>(
  redis: RedisConnection,
  collection: C,
  record: Records[C],
): Promise<boolean> {
  const { tenancyOf, children, noun } = COLLECTIONS[collection];
  const place = tenancyOf(record);
  const own = viewsOf(place);
  // Nothing is ever listed under a record of the lowest collections: their own ids name sets that stay empty.
  const beneath: View = collection === 'workspaces' ? `workspace:${record.id}` : `organization:${record.id}`;
  const viewsIn = (listed: Collection) => own.map((view) => viewKey(listed, view));
  const removed = await remove.run(
    redis,
    [
      recordsKey(collection),
      viewKey(children ?? collection, beneath),
      API_KEY_INDEX,
      recordsKey('api-keys'),
      viewKey('api-keys', beneath),
      recordsKey('webhooks'),
      viewKey('webhooks', beneath),
      DIRECTORY_VERSION,
      ...viewsIn(collection),
      ...viewsIn('api-keys'),
      ...viewsIn('webhooks'),
    ],
    [record.id, own.length, indexField(record), newVersion()],
  );
  if (removed === -1) {
    throw new Problem('not_empty', {
      detail: `The ${noun} still has ${children}; \`?cascade=true\` deletes them too.`,
    });
  }
  return removed === 1;
}

/** The one answer for what does not exist and for what the caller may not see. */
export function notFound(collection: Collection): Problem {
  return new Problem('not_found', {
    detail: `There is no ${COLLECTIONS[collection].noun} with that id.`,
  });
}

function newVersion(): string {
  return randomBytes(12).toString('base64url');
}

function indexField(record: Records[Collection]): string {
  return 'hash' in record ? record.hash : '';
}
