import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askRedis } from '../../../src/launch/private-redis/ask-redis.ts';
import { findRedisServer } from '../../../src/launch/private-redis/find-redis-server.ts';
import { type PrivateRedis, startPrivateRedis } from '../../../src/launch/private-redis/private-redis.ts';
import { findRedisServerOf } from '../../../src/launch/private-redis/redis-process.ts';
import { identifyProcess } from '../../../src/launch/process-identity.mjs';
import { LockedError } from '../../../src/launch/take-lock.mjs';
import { parseRedisAddress } from '../../../src/redis-address.ts';
import { findFreePort } from '../../support/free-port.ts';

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
  const module = JSON.stringify(
    join(import.meta.dirname, '../../../src/launch/private-redis/private-redis.ts'),
  );
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
  const settings = ['appendonly', 'appendfsync', 'maxmemory-policy', 'save', 'port'];
  const found = await askRedis(url, (redis) =>
    Promise.all(settings.map((name) => redis.config('GET', name))),
  );
  expect(found).toEqual([
    ['appendonly', 'yes'],
    ['appendfsync', 'everysec'],
    ['maxmemory-policy', 'noeviction'],
    ['save', ''],
    ['port', '0'],
  ]);
});

test('keeps the log of a server that has ended, up to a size', async () => {
  const first = await start();
  const log = join(dataDir, 'redis/redis.log');
  await writeFile(log, 'why it ended\n');
  await close(first);
  const second = await start();
  expect(await readFile(log, 'utf8')).toMatch(/^why it ended\n.*ready to accept connections/is);
  await close(second);
  await writeFile(log, 'x'.repeat(2 ** 21));
  await start();
  expect((await stat(log)).size).toBeLessThan(100_000);
  expect((await stat(`${log}.1`)).size).toBe(2 ** 21);
});

test('starts a server again whose log was removed', async () => {
  const { url } = await start();
  const pid = await findPid(url);
  await rm(join(dataDir, 'redis/redis.log'));
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await findPid(url)).not.toBe(pid), 20_000);
});

test('lets in only who can read the data folder', async () => {
  const { url } = await start();
  await expect(askRedis(url.replace(/:[^:@]+@/, ''), (redis) => redis.get('x'))).rejects.toThrow(/NOAUTH/);
  for (const file of ['.', 'password', 'server.json', 'redis.log', 'redis.sock']) {
    expect((await stat(join(dataDir, 'redis', file))).mode & 0o077).toBe(0);
  }
  const password = parseRedisAddress(url)?.password;
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
  const record = JSON.parse(await readFile(join(dataDir, 'redis/server.json'), 'utf8'));
  await writeFile(join(dataDir, 'redis/server.json'), JSON.stringify({ ...record, identity: null }));
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
  await cp(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
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
  const greeting = await vi.waitFor(() => askRedis(url, (redis) => redis.get('greeting')), 20_000);
  expect(greeting).toBe('hello');
});

test('starts no second server beside one whose process it cannot find', async () => {
  const { url } = await start();
  const file = join(dataDir, 'redis/server.json');
  const [pid, record] = [await findPid(url), JSON.parse(await readFile(file, 'utf8'))];
  const ended = spawn('true');
  await once(ended, 'exit');
  await writeFile(file, JSON.stringify({ ...record, identity: `${ended.pid} 1 none` }));
  await vi.waitFor(async () => expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(record), 20_000);
  expect(await findPid(url)).toBe(pid);
});

test('works where the path of its folder is too long for a socket, and leaves nothing behind', async () => {
  const long = join(dataDir, 'x'.repeat(150));
  const first = await start(long);
  const socket = parseRedisAddress(first.url)?.path ?? '';
  expect(socket.startsWith(dataDir)).toBe(false);
  expect((await stat(join(socket, '..'))).mode & 0o077).toBe(0);
  await askRedis(first.url, (redis) => redis.set('greeting', 'hello'));
  await close(first);
  await expect(stat(join(socket, '..'))).rejects.toThrow('ENOENT');
  expect(await askRedis((await start(long)).url, (redis) => redis.get('greeting'))).toBe('hello');
});

describe('with many data to load', () => {
  let path: string | undefined;

  beforeEach(async () => {
    const { url } = await start();
    await askRedis(url, async (redis) => {
      for (let n = 0; n < 100; n += 1) await redis.set(`key ${n}`, n);
      await redis.call('BGREWRITEAOF');
      await vi.waitFor(
        async () => expect(await redis.info('persistence')).toContain('aof_rewrite_in_progress:0'),
        20_000,
      );
    });
    path = process.env.PATH;
    const command = await promisify(execFile)('sh', ['-c', `command -v ${await findRedisServer(() => {})}`]);
    const bin = join(dataDir, 'bin');
    await mkdir(bin);
    // Loading takes a second for each key.
    await writeFile(
      join(bin, 'redis-server'),
      `#!/bin/sh\ncase "$1" in -) exec ${command.stdout.trim()} - --key-load-delay 1000000 ;; esac\nexec ${command.stdout.trim()} "$@"\n`,
      { mode: 0o755 },
    );
    process.env.PATH = `${bin}:${path}`;
  });

  afterEach(() => {
    process.env.PATH = path;
  });

  const untilLoading = () =>
    vi.waitFor(async () => {
      const log = await readFile(join(dataDir, 'redis/redis.log'), 'utf8');
      expect(log.match(/Loading RDB produced/g)?.length ?? 0).toBeGreaterThan(loads);
    }, 20_000);
  let loads = 0;
  const countLoads = async () => {
    const log = await readFile(join(dataDir, 'redis/redis.log'), 'utf8');
    loads = log.match(/Loading RDB produced/g)?.length ?? 0;
  };
  const runningServer = () => findRedisServerOf(realpathSync(join(dataDir, 'redis')));

  test('gives up its start at once when asked to, and leaves no server', async () => {
    await Promise.all(open.map(close));
    await countLoads();
    const giving = new AbortController();
    const starting = startPrivateRedis({ dataDir, signal: giving.signal });
    starting.catch(() => undefined);
    await untilLoading();
    giving.abort();
    const askedAt = Date.now();
    await expect(starting).rejects.toThrow(/abort/);
    expect(Date.now() - askedAt).toBeLessThan(10_000);
    expect(runningServer()).toBeNull();
  });

  test('closes at once while a server that has died is started again', async () => {
    await countLoads();
    const [{ url }] = open as [PrivateRedis];
    process.kill(await findPid(url), 'SIGKILL');
    await untilLoading();
    const askedAt = Date.now();
    await Promise.all(open.map(close));
    expect(Date.now() - askedAt).toBeLessThan(10_000);
    expect(runningServer()).toBeNull();
  });
});

test('ends its server though the data folder was removed meanwhile', async () => {
  const lines: string[] = [];
  const redis = await startPrivateRedis({ dataDir, report: (line) => lines.push(line) });
  const pid = await findPid(redis.url);
  await rm(dataDir, { recursive: true });
  await sleep(1_000);
  expect(lines).toEqual([]);
  await expect(redis.close()).rejects.toThrow('ENOENT');
  expect(isRunning(pid)).toBe(false);
});

test('says once why a server that has ended does not start again', async () => {
  const lines: string[] = [];
  const redis = await startPrivateRedis({ dataDir, report: (line) => lines.push(line) });
  open.push(redis);
  await askRedis(redis.url, (one) => one.set('greeting', 'hello'));
  const pid = await findPid(redis.url);
  const folder = join(dataDir, 'redis/appendonlydir');
  await rename(folder, `${folder}.away`);
  await writeFile(folder, 'no folder');
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(lines).toHaveLength(2), 20_000);
  await sleep(3_000);
  expect(lines).toEqual([
    'The private Redis has ended; starting it again.',
    expect.stringMatching(/^The private Redis does not start on /),
  ]);
  await rm(folder);
  await rename(`${folder}.away`, folder);
  expect(await vi.waitFor(() => askRedis(redis.url, (one) => one.get('greeting')), 20_000)).toBe('hello');
});

describe('on a folder of the release that listened on a port', () => {
  /** Starts a server as that release did, and gives its process. */
  async function startOld(port: number): Promise<ChildProcess> {
    const dir = join(dataDir, 'redis');
    await mkdir(dir, { mode: 0o700 });
    await writeFile(join(dir, 'password'), 'old-password', { mode: 0o600 });
    const settings = ['--port', String(port), '--dir', dir, '--appendonly', 'yes', '--save', ''];
    const args = [...settings, '--requirepass', 'old-password', '--daemonize', 'no'];
    const server = spawn(await findRedisServer(() => {}), args, { stdio: 'ignore' });
    await vi.waitFor(() => askRedis(oldUrl(port), (redis) => redis.set('greeting', 'hello')), 20_000);
    return server;
  }

  const oldUrl = (port: number) => `redis://:old-password@127.0.0.1:${port}`;
  const note = (port: number, identity: string | null) =>
    writeFile(join(dataDir, 'redis/server.json'), JSON.stringify({ port, identity }));

  test.each(['noted', 'not noted'])(
    'ends a server that still runs and was %s, and has its data',
    async (how) => {
      const port = await findFreePort();
      const server = await startOld(port);
      const ended = once(server, 'exit');
      await note(port, how === 'noted' ? identifyProcess(server.pid as number) : null);
      const { url } = await start();
      await ended;
      expect(await askRedis(url, (redis) => redis.get('greeting'))).toBe('hello');
    },
  );

  test('tells an impostor on the old port nothing, and kills no process that it names', async () => {
    const port = await findFreePort();
    const server = await startOld(port);
    server.kill('SIGTERM');
    await once(server, 'exit');
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const heard: string[] = [];
    const impostor = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        heard.push(String(chunk));
        const dir = join(dataDir, 'redis');
        const info = `# Server\r\nprocess_id:${bystander.pid}\r\nredis_version:7.0.15\r\n`;
        if (/info/i.test(String(chunk))) socket.write(`$${info.length}\r\n${info}\r\n`);
        else if (/config/i.test(String(chunk)))
          socket.write(`*2\r\n$3\r\ndir\r\n$${dir.length}\r\n${dir}\r\n`);
        else socket.write('+OK\r\n');
      });
    });
    await new Promise<void>((resolve) => impostor.listen(port, '127.0.0.1', resolve));
    try {
      // As if an impostor had been adopted before.
      await note(port, identifyProcess(bystander.pid as number));
      const redis = await start();
      expect(await askRedis(redis.url, (one) => one.get('greeting'))).toBe('hello');
      await close(redis);
      expect(heard).toEqual([]);
      expect(isRunning(bystander.pid as number)).toBe(true);
    } finally {
      bystander.kill('SIGKILL');
      impostor.close();
    }
  });
});
