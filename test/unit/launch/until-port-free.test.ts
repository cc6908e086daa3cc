import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { findFreePort } from '../../../src/launch/find-free-port.ts';
import { identifyProcess } from '../../../src/launch/process-identity.mjs';
import { untilMetricsPortFree, untilPortFree } from '../../../src/launch/until-port-free.ts';
import { findFreePort as findOwnPort } from '../../support/free-port.ts';

const HOST = '127.0.0.1';

afterEach(() => {
  vi.restoreAllMocks();
});

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, HOST);
  await once(server, 'listening');
  return server;
}

test('a free port can be had, and is left free', async () => {
  const port = await findFreePort(HOST);
  await untilPortFree(HOST, port, null);
  (await listen(port)).close();
});

test('a port in use is refused in one sentence', async () => {
  const port = await findOwnPort();
  const server = await listen(port);
  await expect(untilPortFree(HOST, port, null)).rejects.toThrow(
    `Port ${port} is in use; set PORT to another one.`,
  );
  server.close();
});

test('an address this machine does not have is refused in one sentence', async () => {
  await expect(untilPortFree('192.0.2.1', 3000, null)).rejects.toThrow(
    'Switchboard cannot listen on HOST 192.0.2.1',
  );
});

/** Starts a process that listens on a port of its own until its standard input ends, if it cares for that. */
async function startLeftover(onInputEnd: string): Promise<{ leftover: ChildProcess; port: number }> {
  const script = `
    process.stdin.on('end', () => { ${onInputEnd} }).resume();
    const server = require('node:net').createServer().listen(0, '${HOST}', () => console.log(server.address().port));`;
  const leftover = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(leftover.stdout as Readable, 'data');
  return { leftover, port: Number(line) };
}

test('a port that the process of an earlier start is letting go of is waited for', async () => {
  const { leftover, port } = await startLeftover('process.exit()');
  const waiting = untilPortFree(HOST, port, identifyProcess(leftover.pid ?? 0));
  leftover.stdin?.end();
  await waiting;
});

test('a process of an earlier start that does not let go is killed', async () => {
  const { leftover, port } = await startLeftover('');
  await untilPortFree(HOST, port, identifyProcess(leftover.pid ?? 0));
  expect(identifyProcess(leftover.pid ?? 0)).toBeNull();
});

test('a port is waited for as long as before if the clock of the machine is set ahead meanwhile', async () => {
  const port = await findOwnPort();
  const server = await listen(port);
  const { signal } = new AbortController();
  const waiting = untilMetricsPortFree(HOST, port, { graceMs: 60_000, signal });
  const inAnHour = Date.now() + 3_600_000;
  vi.spyOn(Date, 'now').mockReturnValue(inAnHour);
  // It looks many times in this time, unless it has given up.
  await Promise.race([waiting, sleep(500)]);
  server.close();
  await waiting;
});

test('the metrics port of a worker that closes after its grace period is waited for, and that is said once', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const port = await findOwnPort();
  const server = await listen(port);
  const { signal } = new AbortController();
  const waiting = untilMetricsPortFree(HOST, port, { graceMs: 0, signal });
  await Promise.race([waiting, sleep(500)]);
  server.close();
  await waiting;
  const lines = said.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(`${port}`));
  expect(lines).toEqual([`Waiting for port ${port}, which a worker that is stopping may still have…\n`]);
});
