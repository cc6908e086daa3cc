import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { parseRedisAddress, showRedisAddress, toClusterAddress } from '../../src/redis-address.ts';

describe('parseRedisAddress', () => {
  it('reads the address of one server', () => {
    expect(parseRedisAddress('redis://127.0.0.1:6390/3')).toEqual({
      kind: 'server',
      hosts: [{ host: '127.0.0.1', port: 6390 }],
      tls: false,
      db: 3,
    });
    expect(parseRedisAddress('rediss://:p%40ss@[::1]')).toEqual({
      kind: 'server',
      hosts: [{ host: '::1', port: 6379 }],
      tls: true,
      password: 'p@ss',
      db: 0,
    });
  });

  it('reads an address with a line feed at its end, as a secret in a file has', () => {
    expect(parseRedisAddress('redis://127.0.0.1:6390\n')).toEqual(
      parseRedisAddress('redis://127.0.0.1:6390'),
    );
    expect(parseRedisAddress('redis+unix:///redis.sock\n')).toMatchObject({ path: '/redis.sock' });
    expect(showRedisAddress('redis://:secret@127.0.0.1:6390\n')).toBe('redis://127.0.0.1:6390');
  });

  it('reads the address of a Unix socket', () => {
    expect(parseRedisAddress('redis+unix://:p%40ss@/data%20of/redis.sock?db=2')).toEqual({
      kind: 'server',
      hosts: [],
      path: '/data of/redis.sock',
      tls: false,
      password: 'p@ss',
      db: 2,
    });
    expect(parseRedisAddress('redis+unix:///redis.sock')).toMatchObject({ path: '/redis.sock', db: 0 });
    expect(showRedisAddress('redis+unix://:secret@/redis.sock')).toBe('redis+unix:///redis.sock');
  });

  it('reads the address of a cluster', () => {
    expect(parseRedisAddress('rediss+cluster://user:pa:ss@a:1,b:2,c')).toEqual({
      kind: 'cluster',
      hosts: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
        { host: 'c', port: 6379 },
      ],
      tls: true,
      username: 'user',
      password: 'pa:ss',
      db: 0,
    });
  });

  it('reads the address of a master that sentinels know', () => {
    expect(parseRedisAddress('redis+sentinel://:secret@a,b:2/main/1?sentinelPassword=other')).toEqual({
      kind: 'sentinel',
      hosts: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 2 },
      ],
      tls: false,
      password: 'secret',
      db: 1,
      masterName: 'main',
      sentinelPassword: 'other',
    });
  });

  it.each([
    ...['', 'redis:', 'redis://', 'http://a:1', 'a:1', 'redis://a:1,b:2', 'redis://a:99999', 'redis://a/one'],
    ...[
      'redis+cluster://a:1,,b:2',
      'redis+cluster://a:1/1',
      'redis+sentinel://a:1',
      'redis+sentinel://a/m/0/x',
      'redis+sentinel://a:1 ,b:2/m',
    ],
    ...['redis+unix://', 'redis+unix://a/redis.sock', 'redis+unix:///%zz', 'redis+unix:///a?db=x'],
    ...['redis://%zz@a:1', 'redis+other://a:1', 'redis+cluster://a b:1'],
  ])('refuses %j', (text) => {
    expect(parseRedisAddress(text)).toBeNull();
  });
});

it('a list of nodes makes the address of a cluster', () => {
  expect(toClusterAddress('a:1, b:2')).toBe('redis+cluster://a:1,b:2');
  expect(toClusterAddress('rediss://:secret@a:1,rediss://:secret@b:2/')).toBe(
    'rediss+cluster://:secret@a:1,b:2',
  );
  for (const list of ['', ',', 'a:1,redis://b:2/1', 'http://a:1', 'a:x'])
    expect(toClusterAddress(list)).toBeNull();
});

it('what is shown of an address has no secrets', () => {
  expect(showRedisAddress('redis+sentinel://u:geheim@a:1,b:2/main?sentinelPassword=geheim')).toBe(
    'redis+sentinel://a:1,b:2/main',
  );
  expect(showRedisAddress('redis://a:1/2')).toBe('redis://a:1/2');
});

it('the settings name one Redis', () => {
  expect(readConfig({ REDIS_CLUSTER: 'a:1,b:2' }).REDIS_URL).toBe('redis+cluster://a:1,b:2');
  expect(() => readConfig({ REDIS_CLUSTER: 'a:1', REDIS_URL: 'redis://a:1' })).toThrow(/Only one of/);
  expect(() => readConfig({ REDIS_CLUSTER: 'a:x' })).toThrow(ConfigError);
  expect(() => readConfig({ REDIS_URL: 'http://geheim@a:1' })).toThrow(
    /^The setting REDIS_URL is wrong: (?!.*geheim)/,
  );
});
