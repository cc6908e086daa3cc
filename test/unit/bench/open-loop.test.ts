import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { GroupRecorder } from '../../bench/load/group-recorder.ts';
import { openOpenLoop } from '../../bench/load/open-loop.ts';

const CALLS_HELD = 20;
const REQUEST = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

// Answers nothing until it is told to.
const held: ServerResponse[] = [];
let answering = false;
const server = createServer((_request, response) => {
  if (answering) response.end('ok');
  else held.push(response);
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

it('offers calls while a server stalls, and charges every one of them for the stall', async () => {
  const port = await listen(server);
  const recorder = new GroupRecorder({ byArrival: false, withTimeline: true });
  const group = { name: 'all', ports: [port], connections: 1, requests: [REQUEST], ratePerSecond: 500 };
  const load = openOpenLoop(group, recorder);
  await load.open();
  const beganAt = performance.now();
  recorder.begin(beganAt);
  load.begin();
  while (offered(recorder) < CALLS_HELD) await new Promise((resolve) => setTimeout(resolve, 5));
  load.pause();
  const stalledMs = performance.now() - beganAt;
  answering = true;
  for (const response of held) response.end('ok');
  await load.stop(10_000);

  const result = recorder.result();
  const calls = offered(recorder);
  expect(held).toHaveLength(1);
  expect(result).toMatchObject({ answered: calls, unanswered: 0, failures: {}, held: calls - 1 });
  // The first call was due at once and waited all along; the median one for about half of the time.
  expect(result.maxMs).toBeGreaterThan(stalledMs * 0.9);
  expect(result.p50Ms).toBeGreaterThan(stalledMs * 0.3);
});

it('sends as much to a slow server as to a quick one', async () => {
  const counts = [0, 0];
  const servers = [0, 30].map((delayMs, index) =>
    createServer((_request, response) => {
      counts[index] = (counts[index] ?? 0) + 1;
      setTimeout(() => response.end('ok'), delayMs);
    }),
  );
  try {
    const ports = await Promise.all(servers.map(listen));
    const recorder = new GroupRecorder({ byArrival: false, withTimeline: true });
    // More than calls become due while this process gets no processor time.
    const group = { name: 'all', ports, connections: 2_000, requests: [REQUEST], ratePerSecond: 400 };
    const load = openOpenLoop(group, recorder);
    await load.open();
    recorder.begin(performance.now());
    load.begin();
    while (offered(recorder) < 10 * CALLS_HELD) await new Promise((resolve) => setTimeout(resolve, 5));
    load.pause();
    await load.stop(10_000);
    expect(counts[0]).toBeGreaterThan(90);
    expect(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0))).toBeLessThanOrEqual(1);
    expect(recorder.result()).toMatchObject({ unanswered: 0, failures: {}, held: 0 });
  } finally {
    for (const one of servers) {
      one.close();
      one.closeAllConnections();
    }
  }
});

async function listen(one: Server): Promise<number> {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  return (one.address() as AddressInfo).port;
}

function offered(recorder: GroupRecorder): number {
  return recorder.result().timeline.reduce((sum, point) => sum + point.offered, 0);
}
