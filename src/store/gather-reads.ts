import type { RedisConnection } from '../redis/connections.ts';

// Every other way to look at state; it reaches Redis as it is.
const OTHER_READS = [
  'exists',
  'hgetall',
  'hkeys',
  'hvals',
  'hlen',
  'hexists',
  'zrange',
  'zrevrange',
  'zrangebyscore',
  'zrevrangebyscore',
  'zrangebylex',
  'zcard',
  'zcount',
  'zscore',
  'zmscore',
  'zrank',
  'zrevrank',
  'smembers',
  'sismember',
  'smismember',
  'scard',
] as const satisfies readonly (keyof RedisConnection)[];

/** The reading half of a Redis connection: what a method may use to look at its workspace's state. */
export interface StateReader extends Pick<RedisConnection, (typeof OTHER_READS)[number]> {
  hget(key: string, field: string): Promise<string | null>;
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
}

interface Gathering {
  fields: string[];
  places: Map<string, number>;
  found: Promise<(string | null)[]>;
}

// A command this long keeps Redis from others for no more than a fraction of a millisecond.
const FIELDS_MAX = 256;

/**
 * A reader of state whose look-ups in hashes gather: what is asked of one hash in one turn of the event loop, by however many
 * calls, goes to Redis as one command. The calls of a batch mostly look at the same few hashes.
 */
export function gatherReads(redis: RedisConnection): StateReader {
  const gatherings = new Map<string, Gathering>();

  function gatheringFor(key: string): Gathering {
    const known = gatherings.get(key);
    if (known && known.fields.length < FIELDS_MAX) return known;
    const fields: string[] = [];
    const found = new Promise<(string | null)[]>((resolve, reject) => {
      process.nextTick(() => {
        if (gatherings.get(key) === gathering) gatherings.delete(key);
        redis.hmget(key, ...fields).then(resolve, reject);
      });
    });
    const gathering = { fields, places: new Map<string, number>(), found };
    gatherings.set(key, gathering);
    return gathering;
  }

  function placeIn({ fields, places }: Gathering, field: string): number {
    const known = places.get(field);
    if (known !== undefined) return known;
    places.set(field, fields.length);
    return fields.push(field) - 1;
  }

  function hget(key: string, field: string): Promise<string | null> {
    const gathering = gatheringFor(key);
    const place = placeIn(gathering, field);
    return gathering.found.then((found) => found[place] ?? null);
  }

  function hmget(key: string, ...fields: string[]): Promise<(string | null)[]> {
    const gathering = gatheringFor(key);
    const places = fields.map((field) => placeIn(gathering, field));
    return gathering.found.then((found) => places.map((place) => found[place] ?? null));
  }

  const others = OTHER_READS.map((name) => [name, redis[name].bind(redis)]);
  return { ...Object.fromEntries(others), hget, hmget };
}
