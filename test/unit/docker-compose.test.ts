import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTING_NAMES } from '../../src/config.ts';

const text = readFileSync('docker-compose.yml', 'utf8');
const { services, volumes, ...rest } = parse(text, { merge: true });
const { redis, api, worker } = services;

// The keys of a service in the Compose specification that this file uses; a misspelt one is refused by its schema.
const SERVICE_KEYS = [
  'build',
  'cap_drop',
  'command',
  'depends_on',
  'deploy',
  'env_file',
  'environment',
  'healthcheck',
  'image',
  'init',
  'ports',
  'read_only',
  'restart',
  'security_opt',
  'stop_grace_period',
  'volumes',
];
const HEALTHCHECK_KEYS = ['test', 'interval', 'timeout', 'retries', 'start_period'];

test('has only what the Compose specification knows', () => {
  expect(Object.keys(rest).filter((key) => !key.startsWith('x-'))).toEqual(['name']);
  expect(volumes).toEqual({ 'redis-data': null });
  for (const service of Object.values<Record<string, object>>(services)) {
    expect(SERVICE_KEYS).toEqual(expect.arrayContaining(Object.keys(service)));
    expect(HEALTHCHECK_KEYS).toEqual(expect.arrayContaining(Object.keys(service.healthcheck ?? {})));
  }
});

test('runs Redis so that it loses and evicts nothing', () => {
  const options = redis.command.join(' ');
  expect(options).toContain('--appendonly yes');
  expect(options).toContain('--maxmemory-policy noeviction');
  expect(redis.volumes).toEqual(['redis-data:/data']);
  expect(redis.ports).toBeUndefined();
});

test('has a health check for every service, and waits for a healthy Redis', () => {
  for (const service of [redis, api, worker]) expect(service.healthcheck.test.length).toBeGreaterThan(1);
  for (const service of [api, worker]) {
    expect(service.depends_on).toEqual({
      redis: { condition: 'service_healthy' },
    });
  }
});

test('runs several API processes on the port that it publishes', () => {
  expect(api.environment.SWITCHBOARD_API_PROCESSES).toMatch(/^\$\{SWITCHBOARD_API_PROCESSES:-[2-9]\}$/);
  expect(api.command.at(-1)).toBe('dist/src/launch/api.js');
  // A port of the machine can be published by one container only.
  expect(api.deploy).toBeUndefined();
  expect(api.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:\S+:3000$/)]);
});

test('gives every replica of the worker the settings of the API', () => {
  expect(worker.deploy.replicas).toMatch(/^\$\{SWITCHBOARD_WORKERS:-\d+\}$/);
  const { SWITCHBOARD_API_PROCESSES: _, ...shared } = api.environment;
  expect(worker.environment).toEqual({ ...shared, WORKER_METRICS_PORT: '9464' });
});

test('sets only settings that exist', () => {
  expect(SETTING_NAMES).toEqual(expect.arrayContaining(Object.keys(worker.environment)));
  for (const name of Object.keys(api.environment)) expect(SETTING_NAMES).toContain(name);
  for (const [, name] of text.matchAll(/\$\{([A-Z_]+)/g)) expect(SETTING_NAMES).toContain(name);
});

test('holds no secret, and does not start without a root key', () => {
  expect(api.environment.SWITCHBOARD_ROOT_KEY).toMatch(/^\$\{SWITCHBOARD_ROOT_KEY:\?.+\}$/);
  expect(api.environment.SWITCHBOARD_SECRET).toMatch(/^\$\{SWITCHBOARD_SECRET:-\}$/);
});

test('builds an image from what the repository has, without development packages, for an ordinary user', () => {
  const lines: string[] = api.build.dockerfile_inline.trim().split('\n');
  const copied = lines.flatMap((line) => line.match(/^COPY (?!--from)(.+) \S+$/)?.[1]?.split(' ') ?? []);
  expect(copied.length).toBeGreaterThan(3);
  const sent = readFileSync('.dockerignore', 'utf8');
  for (const path of copied) {
    expect(existsSync(path)).toBe(true);
    expect(sent).toContain(`!${path}\n`);
  }
  expect(lines.some((line) => line.includes('npm prune --omit=dev'))).toBe(true);
  expect(lines.at(-1)).toBe('USER node');
  expect(worker.build).toEqual(api.build);
});

test('runs modules that the sources compile to', () => {
  for (const { command } of [api, worker]) {
    const [program, ...rest]: string[] = command;
    expect(program).toBe('node');
    const file = rest.pop() as string;
    for (const option of rest) {
      expect(process.allowedNodeEnvironmentFlags.has(option.replace(/=.*/, ''))).toBe(true);
    }
    expect(existsSync(file.replace('dist/', '').replace(/js$/, 'ts'))).toBe(true);
  }
});
