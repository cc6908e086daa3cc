import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { RawConnection } from '../../support/http/raw-connection.ts';
import {
  checkout,
  paste,
  pasteUntilAnswered,
  start,
  stop,
  useCheckout,
} from '../../support/service/npm-start.ts';

// A request that hangs is said, or asked again.
const ANSWER_MS = 10_000;
const LIVEZ = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n';

useCheckout();

/** Asks the API with the root key, on a connection of its own. */
async function ask(
  port: number,
  path: string,
  signal = AbortSignal.timeout(ANSWER_MS),
): Promise<{ status: number; text: string }> {
  const key = readFileSync(join(checkout.dir, '.switchboard/root-key'), 'utf8').trim();
  const headers = { authorization: `Bearer ${key}`, connection: 'close' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal });
  return { status: response.status, text: await response.text() };
}

/** Of how many requests each API process tells, by its number. */
async function requestsByProcess(port: number, signal?: AbortSignal): Promise<Map<string, number>> {
  const { text } = await ask(port, '/metrics', signal);
  const found = new Map<string, number>();
  for (const [, labels, count] of text.matchAll(/^switchboard_http_requests_total\{(.*)\} (\d+)$/gm)) {
    const place = /process="(\d+)"/.exec(labels ?? '')?.[1] ?? 'none';
    found.set(place, (found.get(place) ?? 0) + Number(count));
  }
  return found;
}

/** Waits for the answer to the only request of a connection: its status, or null if the connection is closed without one. */
async function statusOf(connection: RawConnection): Promise<number | null> {
  await vi.waitFor(async () => connection.isOver || (await connection.answers(1, 1)), 30_000);
  return (await connection.answers(1, 1).catch(() => []))[0]?.status ?? null;
}

test('several API processes share a port; whichever is asked gives the metrics of all that answer', async () => {
  const started = await start({ SWITCHBOARD_API_PROCESSES: '3', SWITCHBOARD_WORKERS: '1' });
  expect(started.stdout).toContain('api        3 processes');
  await vi.waitFor(() => expect(checkout.find('api/main.js')).toHaveLength(3), 30_000);
  await vi.waitFor(async () => {
    const before = await requestsByProcess(started.port);
    expect([...before.keys()].sort()).toEqual(['1', '2', '3']);
    for (let i = 0; i < 12; i += 1) expect((await ask(started.port, '/v1/organizations')).status).toBe(200);
    // Collected at most once a second.
    await vi.waitFor(async () => {
      for (const [place, count] of await requestsByProcess(started.port))
        expect(count).toBeGreaterThanOrEqual((before.get(place) ?? 0) + 3);
    }, 5_000);
  }, 30_000);
  const hanging = checkout.findOne('api/main.js');
  process.kill(hanging.pid, 'SIGSTOP');
  // What it is given itself stays without an answer.
  const others = () => requestsByProcess(started.port, AbortSignal.timeout(8_000));
  await vi.waitFor(async () => expect((await others()).size).toBe(2), 30_000);
  process.kill(hanging.pid, 'SIGCONT');
  await stop(started);
});

// A busy machine may be late once.
test('while Redis does not answer, the metrics of all processes are told', { retry: 2 }, async () => {
  const started = await start({ SWITCHBOARD_API_PROCESSES: '2', SWITCHBOARD_WORKERS: '1' });
  const told = async () => [...(await requestsByProcess(started.port)).keys()].sort().join();
  await vi.waitFor(async () => expect(await told()).toBe('1,2'), 30_000);
  const redis = checkout.findOne('redis-server');
  process.kill(redis.pid, 'SIGSTOP');
  try {
    // Not what was collected before it stopped, less than a second ago.
    await sleep(1_100);
    expect(await told()).toBe('1,2');
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
  await stop(started);
});

test('connections beyond the most of all of them are closed, and those before them go on', async () => {
  const most = 20;
  const started = await start({ SWITCHBOARD_API_PROCESSES: '2', CONNECTIONS_MAX: String(most) });
  await vi.waitFor(async () => expect((await requestsByProcess(started.port)).size).toBe(2), 30_000);
  const url = `http://127.0.0.1:${started.port}`;
  const all: RawConnection[] = [];
  for (let n = 0; n < 4 * most; n += 1) all.push(await RawConnection.open(url));
  for (const connection of all) connection.send(LIVEZ);
  const count = (await Promise.all(all.map(statusOf))).filter((status) => status === 200).length;
  expect(count).toBeGreaterThan(most);
  expect(count).toBeLessThanOrEqual(2 * most);
  for (const connection of all) connection.close();
  await vi.waitFor(async () => expect((await ask(started.port, '/livez')).status).toBe(200), 30_000);
  await stop(started);
});

test('a killed one of several is started again while the others serve, and leaves no connection without an end', async () => {
  const started = await start({ SWITCHBOARD_API_PROCESSES: '2', SWITCHBOARD_WORKERS: '1' });
  const url = `http://127.0.0.1:${started.port}`;
  const untilListening = (times: number) =>
    vi.waitFor(() => expect(started.stdout.split('api listening')).toHaveLength(times + 1), 30_000);
  await untilListening(2);
  for (let round = 1; round <= 3; round += 1) {
    process.kill(checkout.findOne('api/main.js').pid, 'SIGKILL');
    const connections: RawConnection[] = [];
    for (let n = 0; n < 50; n += 1) connections.push((await RawConnection.open(url)).send(LIVEZ));
    const statuses = await Promise.all(connections.map(statusOf));
    // One is handed to it before its end is known.
    expect(statuses.filter((status) => status !== 200).length).toBeLessThanOrEqual(2);
    for (const connection of connections) connection.close();
    await pasteUntilAnswered(started.commands[0]);
    await untilListening(2 + round);
  }
  expect(started.stdout).toContain('process ended; starting it again');
  await stop(started);
});

test('without their supervisor none of several stays, and the port is free for the next start', async () => {
  const first = await start({ SWITCHBOARD_API_PROCESSES: '2', SWITCHBOARD_WORKERS: '1' });
  process.kill(checkout.findOne('run.mjs start').pid, 'SIGKILL');
  await vi.waitFor(() => expect(checkout.find('api/main.js')).toEqual([]), 30_000);
  const second = await start({ PORT: String(first.port), SWITCHBOARD_API_PROCESSES: '2' });
  await paste(second.commands[0]);
  await stop(second);
});

test('a worker more is started when the load asks for it, and said', async () => {
  const started = await start({ SWITCHBOARD_WORKERS: 'auto' });
  const key = readFileSync(join(checkout.dir, '.switchboard/root-key'), 'utf8').trim();
  const hangUp = new AbortController();
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method, headers, body: JSON.stringify(body), signal: hangUp.signal };
    // biome-ignore lint/suspicious/noExplicitAny: answers are of any shape
    return (await fetch(`http://127.0.0.1:${started.port}${path}`, init)).json() as any;
  };
  const [, workspaceId] = /(ws_\w+)/.exec(started.commands[0] ?? '') ?? [];
  const accounts = Array.from({ length: 6 }, (_, number) => ({ name: `Account ${number}` }));
  const { results } = await send('POST', '/v1/messenger-accounts/bulk', { workspaceId, accounts });
  const faults = [{ method: 'help.getSupport', count: 1_000, delayMs: 29_000 }];
  for (const { body } of results)
    await send('PUT', `/v1/messenger-accounts/${body.id}/sandbox/faults`, { faults });
  // A worker runs 96 calls that only wait, and is not to be full.
  const calls = results.flatMap(({ body: { id } }: { body: { id: string } }) =>
    Array.from({ length: 16 }, () =>
      send('POST', `/workspaces/${workspaceId}/messenger-accounts/${id}/call/help.getSupport`, {
        params: {},
      }),
    ),
  );
  const ended = Promise.allSettled(calls);
  const said = 'worker 2 starts: the load asks for more';
  await vi.waitFor(() => expect(started.stdout).toContain(said), { timeout: 28_000, interval: 100 });
  await vi.waitFor(() => expect(checkout.find('workers/main.js')).toHaveLength(2), 30_000);
  hangUp.abort();
  await ended;
  await stop(started);
});
