import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../support/free-port.ts';
import { startTestRedis } from '../../support/redis/redis.ts';
import { startTestCluster } from '../../support/redis/redis-cluster.ts';
import type { NpmRun } from '../../support/service/checkout.ts';
import {
  checkout,
  follow,
  paste,
  pasteUntilAnswered,
  sentences,
  start,
  stop,
  useCheckout,
} from '../../support/service/npm-start.ts';
import { RUNS_ON_CLUSTER } from '../../support/service/service.ts';

// `npm start` brings up one private server of its own; where it is given a Redis, that may be a cluster.
useCheckout();

test('Ctrl-C leaves nothing running, and the next start finds the data', async () => {
  const first = await start();
  const { txid } = await paste(first.commands[0]);
  await stop(first);

  const second = await start({ PORT: String(first.port) });
  expect(second.commands).toEqual(first.commands);
  await follow(second.commands[1], `"txid":${txid}`);
  expect((await paste(second.commands[0])).txid).toBeGreaterThan(txid ?? 0);
  await stop(second);
});

test.each([
  ['the supervisor', 'run.mjs start', 1],
  ['npm', 'npm start', 1],
])('kill -9 of %s and an immediate start: one Redis, nothing lost', async (_, victim, count) => {
  const first = await start();
  const { txid } = await paste(first.commands[0]);
  const [redis] = checkout.find('redis-server');
  const victims = checkout.find(victim).filter(({ command }) => !command.startsWith('sh '));
  expect(victims).toHaveLength(count);
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');

  const second = await start({ PORT: String(first.port) });
  expect(checkout.find('redis-server')).toHaveLength(1);
  if (victim !== 'npm start') expect(checkout.find('redis-server')).toEqual([redis]);
  await follow(second.commands[1], `"txid":${txid}`);
  expect((await paste(second.commands[0])).txid).toBeGreaterThan(txid ?? 0);
  await vi.waitFor(() => expect(checkout.find('api/main.js')).toHaveLength(1), 30_000);
  await vi.waitFor(() => expect(checkout.find('workers/main.js')).toHaveLength(1), 30_000);
  await stop(second);
});

test('without its supervisor nothing of ours but the private Redis goes on', async () => {
  const started = await start();
  started.signalGroup('SIGKILL');
  await vi.waitFor(() => expect(checkout.processes()).toHaveLength(1), 30_000);
  expect(checkout.find('redis-server')).toHaveLength(1);
});

test.each(['api/main.js', 'workers/main.js'])('starts a killed %s again', async (module) => {
  const started = await start({ SWITCHBOARD_WORKERS: '2' });
  const victim = checkout.findOne(module);
  const count = checkout.find(module).length;
  process.kill(victim.pid, 'SIGKILL');
  await vi.waitFor(() => {
    const pids = checkout.find(module).map(({ pid }) => pid);
    expect(pids).toHaveLength(count);
    expect(pids).not.toContain(victim.pid);
  }, 30_000);
  await pasteUntilAnswered(started.commands[0]);
  await stop(started);
});

test('a second start on the same data folder says where the first is', async () => {
  const first = await start();
  const second = await checkout.start();
  expect(await second.exited).toBe(1);
  expect(sentences(second)).toHaveLength(1);
  expect(second.stderr).toContain(`http://127.0.0.1:${first.port}`);
  expect(second.stderr).toContain('set SWITCHBOARD_DATA_DIR and PORT for another one');
  await paste(first.commands[0]);
  await stop(first);
});

test('a port in use: one sentence, exit 1, nothing left', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const { port } = occupant.address() as { port: number };
  await expectRefusal({ PORT: String(port) }, `Port ${port} is in use`);
  occupant.close();
});

/** Starts until another program has taken the port before the API does: a start that the test was too late for is begun anew. */
async function startBeside(occupant: Server, port: number): Promise<NpmRun> {
  for (;;) {
    const started = await checkout.start({ PORT: String(port) });
    // The port was found free by then, and the API does not have it yet.
    await vi.waitFor(() => expect(checkout.find('redis-server')).toHaveLength(1), {
      timeout: 30_000,
      interval: 5,
    });
    const listening = once(occupant.listen(port, '127.0.0.1'), 'listening');
    const taken = await listening.then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        return false;
      },
    );
    if (taken) return started;
    await started.untilPrinted();
    await stop(started);
  }
}

test('a port that another program takes during the start: nothing is asked of that, and nothing is left', async () => {
  const asked: string[] = [];
  const occupant = createHttpServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    response.end('{}');
  });
  const started = await startBeside(occupant, await findFreePort());
  await vi.waitFor(() => expect(asked.length > 0 || started.child.exitCode !== null).toBe(true), 60_000);
  expect(asked).toEqual([]);
  expect(await started.exited).toBe(1);
  expect(sentences(started)).toEqual([
    `Port ${started.port} is in use; set PORT to another one.`,
    'The API could not start.',
  ]);
  expect(checkout.processes()).toEqual([]);
  occupant.close();
});

test('a metrics port in use: it says that it waits, then one sentence, exit 1, nothing left', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const { port } = occupant.address() as { port: number };
  await expectRefusal(
    { WORKER_METRICS_PORT: String(port), SHUTDOWN_GRACE_MS: '100' },
    `Waiting for port ${port}, which a worker that is stopping may still have…`,
    `Port ${port} is in use; set WORKER_METRICS_PORT to another one.`,
  );
  occupant.close();
});

test('an unreachable Redis: one sentence, exit 1, nothing left', async () => {
  await expectRefusal(
    { REDIS_URL: 'redis://:secret@127.0.0.1:1' },
    'Redis at redis://127.0.0.1:1 cannot be reached',
  );
});

test('a wrong setting: one sentence, exit 1, nothing left', async () => {
  await expectRefusal({ PORT: 'many' }, 'The setting PORT is wrong');
  // Of another machine (RFC 5737).
  await expectRefusal({ PORT: '0', HOST: '192.0.2.1' }, 'Switchboard cannot listen on HOST 192.0.2.1');
  await expectRefusal(
    { SWITCHBOARD_DATA_DIR: 'package.json' },
    'The data folder package.json cannot be used (EEXIST): set SWITCHBOARD_DATA_DIR',
  );
  // Root may write there, but files cannot be made.
  await expectRefusal({ SWITCHBOARD_DATA_DIR: '/proc' }, 'The data folder /proc cannot be used');
  await expectRefusal(
    { SWITCHBOARD_WORKERS: '2', WORKER_METRICS_PORT: '65535' },
    'The setting WORKER_METRICS_PORT is wrong: 2 workers need as many ports',
  );
});

test('an .env that is a folder: one sentence, exit 1, nothing left', async () => {
  mkdirSync(join(checkout.dir, '.env'));
  await expectRefusal({}, '.env cannot be read (EISDIR): make it a file with settings');
});

async function expectRefusal(settings: Record<string, string>, ...texts: string[]): Promise<void> {
  const refused = await checkout.start(settings);
  expect(await refused.exited).toBe(1);
  expect(sentences(refused)).toEqual(texts.map((text) => expect.stringContaining(text)));
  expect(checkout.processes()).toEqual([]);
}

test('REDIS_URL makes it use that Redis, and leaves it running', async () => {
  const redis = await (RUNS_ON_CLUSTER ? startTestCluster() : startTestRedis());
  const first = await start({ REDIS_URL: redis.url });
  expect(checkout.find('redis-server')).toEqual([]);
  await paste(first.commands[0]);
  await stop(first);

  const second = await start({
    REDIS_URL: redis.url,
    PORT: String(first.port),
  });
  expect(second.commands).toEqual(first.commands);
  await stop(second);
  await redis.stop();
});

test('Ctrl-C while it starts, and twice, leaves nothing running', async () => {
  for (const delayMs of [200, 500, 800, 1_200]) {
    const started = await checkout.start();
    await sleep(delayMs);
    started.pressCtrlC();
    await sleep(100);
    if (started.child.exitCode === null && started.child.signalCode === null) started.pressCtrlC();
    await started.exited;
    await vi.waitFor(() => expect(checkout.processes()).toEqual([]), 20_000);
  }
});

test('goes on when nobody reads what it prints', async () => {
  const started = await start();
  started.child.stdout?.destroy();
  started.child.stderr?.destroy();
  const [worker] = checkout.find('workers/main.js');
  for (let turn = 0; turn < 3; turn++) {
    process.kill(checkout.findOne('workers/main.js').pid, 'SIGKILL');
    await pasteUntilAnswered(started.commands[0]);
  }
  expect(checkout.find('workers/main.js')).not.toContainEqual(worker);
  started.pressCtrlC();
  await started.exited;
  await vi.waitFor(() => expect(checkout.processes()).toEqual([]), 20_000);
});

test('goes on, and stops in order, when it cannot write to its data folder any more', async () => {
  const redis = await (RUNS_ON_CLUSTER ? startTestCluster() : startTestRedis());
  onTestFinished(() => redis.stop());
  const started = await start({ REDIS_URL: redis.url });
  rmSync(join(checkout.dir, '.switchboard'), { recursive: true });
  process.kill(checkout.findOne('api/main.js').pid, 'SIGKILL');
  await vi.waitFor(() => expect(started.stdout.split('api listening')).toHaveLength(3), 30_000);
  expect(started.stdout).toContain('could not be recorded');
  started.pressCtrlC();
  await started.exited;
  expect(checkout.processes()).toEqual([]);
  expect(sentences(started)).toEqual(['Stopping…', expect.stringContaining('ENOENT')]);
  expect(started.stdout).toContain('could not be marked as stopping');
  for (const part of ['api', 'worker'])
    expect(started.stdout).toMatch(new RegExp(`"part":"${part}".*"msg":"stopped"`));
});

test('SIGTERM to npm stops everything', async () => {
  const started = await start();
  started.child.kill('SIGTERM');
  await started.exited;
  await vi.waitFor(() => expect(checkout.processes()).toEqual([]), 20_000);
});
