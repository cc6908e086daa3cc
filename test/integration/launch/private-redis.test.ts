import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askRedis } from '../../../src/launch/ask-redis.ts';
import { type PrivateRedis, startPrivateRedis } from '../../../src/launch/private-redis.ts';
import { identifyProcess } from '../../../src/launch/process-identity.mjs';
import { LockedError } from '../../../src/launch/take-lock.mjs';

let dataDir: string;
let open: PrivateRedis[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'switchboard-private-redis-'));
  open = [];
});

afterEach(async () => {
  for (const redis of open) await redis.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(dir = dataDir): Promise<PrivateRedis> {
  const redis = await startPrivateRedis({ dataDir: dir });
  open.push(redis);
  return redis;
}

async function close(redis: PrivateRedis): Promise<void> {
  open = open.filter((other) => other !== redis);
  await redis.close();
}

/** Starts the private Redis in a process of its own, kills that with -9, and gives the address it had. */
async function startAndKill(): Promise<string> {
  const holder = startHolder();
  const url = await readLine(holder);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  return url;
}

function startHolder(): ChildProcess {
  const module = JSON.stringify(join(import.meta.dirname, '../../../src/launch/private-redis.ts'));
  const script = `
    const { startPrivateRedis } = await import(${module});
    const redis = await startPrivateRedis({ dataDir: ${JSON.stringify(dataDir)} }).catch((error) => ({ url: error.name }));
    console.log(redis.url);
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function readLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text.trim();
}

function findPid(url: string): Promise<number> {
  return askRedis(url, async (redis) => Number((await redis.info('server')).match(/process_id:(\d+)/)?.[1]));
}

function isRunning(pid: number): boolean {
  return identifyProcess(pid) !== null;
}

test('keeps its data from one start to the next, and leaves nothing running', async () => {
  const first = await start();
  const pid = await findPid(first.url);
  await askRedis(first.url, (redis) => redis.set('greeting', 'hello'));
  await close(first);
  expect(isRunning(pid)).toBe(false);

  const second = await start();
  expect(await askRedis(second.url, (redis) => redis.get('greeting'))).toBe('hello');
});

test('writes every change to an append-only file and evicts nothing', async () => {
  const { url } = await start();
  const settings = ['appendonly', 'appendfsync', 'maxmemory-policy', 'save', 'bind'];
  const found = await askRedis(url, (redis) =>
    Promise.all(settings.map((name) => redis.config('GET', name))),
  );
  expect(found).toEqual([
    ['appendonly', 'yes'],
    ['appendfsync', 'everysec'],
    ['maxmemory-policy', 'noeviction'],
    ['save', ''],
    ['bind', '127.0.0.1'],
  ]);
});

test('lets in only who can read the data folder', async () => {
  const { url } = await start();
  const withoutPassword = `redis://${new URL(url).host}`;
  await expect(askRedis(withoutPassword, (redis) => redis.get('x'))).rejects.toThrow(/NOAUTH/);
  for (const file of ['password', 'server.json', 'redis.log']) {
    expect((await stat(join(dataDir, 'redis', file))).mode & 0o077).toBe(0);
  }
  const { password } = new URL(url);
  expect(await readFile(`/proc/${await findPid(url)}/cmdline`, 'utf8')).not.toContain(password);
});

test('adopts the server of a starter that was killed', async () => {
  const url = await startAndKill();
  await askRedis(url, (redis) => redis.set('greeting', 'hello'));
  const pid = await findPid(url);

  const adopted = await start();
  expect(adopted.url).toBe(url);
  expect(await findPid(adopted.url)).toBe(pid);
  expect(await askRedis(adopted.url, (redis) => redis.get('greeting'))).toBe('hello');
  await close(adopted);
  expect(isRunning(pid)).toBe(false);
});

test('adopts a server whose starter was killed before it could note the process', async () => {
  const url = await startAndKill();
  const port = Number(new URL(url).port);
  await writeFile(join(dataDir, 'redis/server.json'), JSON.stringify({ port, identity: null }));
  const pid = await findPid(url);
  expect(await findPid((await start()).url)).toBe(pid);
});

test('starts anew when its server was killed too, and finds the data', async () => {
  const url = await startAndKill();
  await askRedis(url, (redis) => redis.set('greeting', 'hello'));
  process.kill(await findPid(url), 'SIGKILL');

  const next = await start();
  expect(await askRedis(next.url, (redis) => redis.get('greeting'))).toBe('hello');
});

test('is not misled by a process that now has the number of its server', async () => {
  await close(await start());
  const record = JSON.parse(await readFile(join(dataDir, 'redis/server.json'), 'utf8'));
  const identity = record.identity.replace(/^\d+/, String(process.pid));
  await writeFile(join(dataDir, 'redis/server.json'), JSON.stringify({ ...record, identity }));
  const { url } = await start();
  expect(await askRedis(url, (redis) => redis.ping())).toBe('PONG');
});

test('does not take the server of the folder it is a copy of', async () => {
  const url = await startAndKill();
  const copy = `${dataDir}-copy`;
  await cp(dataDir, copy, { recursive: true });
  try {
    const other = await start(copy);
    expect(await findPid(other.url)).not.toBe(await findPid(url));
    await close(other);
  } finally {
    await rm(copy, { recursive: true, force: true });
    await start();
  }
});

test('is had by one process at a time', async () => {
  await start();
  await expect(startPrivateRedis({ dataDir })).rejects.toThrow(LockedError);
});

test('is had by one of many that start at once', async () => {
  const holders = Array.from({ length: 6 }, startHolder);
  const lines = await Promise.all(holders.map(readLine));
  for (const holder of holders) holder.kill('SIGKILL');
  expect(lines.filter((line) => line === 'LockedError')).toHaveLength(5);
  // So that the server ends with the test.
  await Promise.all(holders.map((holder) => holder.exitCode ?? holder.signalCode ?? once(holder, 'exit')));
  await start();
});

test('comes back at the same address when its server dies', async () => {
  const { url } = await start();
  await askRedis(url, (redis) => redis.set('greeting', 'hello'));
  process.kill(await findPid(url), 'SIGKILL');
  const greeting = await vi.waitFor(() => askRedis(url, (redis) => redis.get('greeting')), 5_000);
  expect(greeting).toBe('hello');
});
