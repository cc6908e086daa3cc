/** The checks of the commit script, by number: whether a field, score or member is as expected (`=`) or absent (`!`). */
export const CHECKS = { 'h=': 1, 'h!': 2, 'z=': 3, 'z!': 4, 's=': 5, 's!': 6 } as const;

/** The writes of the commit script, by number. */
export const WRITES = {
  HSET: 1,
  ZADD: 2,
  HDEL: 3,
  ZREM: 4,
  SADD: 5,
  SREM: 6,
  PEXPIRE: 7,
  DEL: 8,
  PERSIST: 9,
  ZADDRUN: 10,
  ZKEEP: 11,
} as const;

/** The number of arguments of each write, by the write's number. */
export const ARGUMENT_COUNTS: readonly number[] = [0, 2, 2, 1, 1, 1, 1, 1, 0, 0, 2, 2];

/** The writes that create a missing key. */
export const CREATING_WRITES: ReadonlySet<keyof typeof WRITES> = new Set(['HSET', 'ZADD', 'SADD', 'ZADDRUN']);
