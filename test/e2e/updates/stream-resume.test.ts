import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis } from '../../../src/redis/connections.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { type Account, RUNS_ON_CLUSTER, Service } from '../../support/service/service.ts';

const UPDATES = 20_000;
const BATCH = 100;
const CUTS = 50;
const CONNECTED_MS = 200;
// About as long as all the cuts take.
const SPAN_MS = 28_000;

// Without syncs of its own Redis puts off no write to the file, so that what it has answered outlives its being killed.
const KEEPING = ['--appendonly', 'yes', '--appendfsync', 'no', '--dir'];

let service: Service;
let restarted: TestRedis | undefined;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'switchboard-stream-'));
  // A folder is one server's. The nodes of a cluster are killed elsewhere, without being started again.
  const redisArgs = RUNS_ON_CLUSTER ? [] : [...KEEPING, dir];
  service = await Service.start({ redisArgs });
});

afterAll(async () => {
  await service.stop();
  await restarted?.stop();
  await rm(dir, { recursive: true, force: true });
});

/** A plain EventSource that is sent to the newest API process, as a load balancer would, and whose connections can be cut. */
function follow(workspaceId: string) {
  const seen = {
    offsets: [] as string[],
    connections: 0,
    cut: (): void => undefined,
    close: () => source.close(),
  };
  const source = new EventSource(
    `http://switchboard/v1/workspaces/${workspaceId}/updates?offset=-1&live=sse`,
    {
      fetch: async (input, init) => {
        const { pathname, search } = new URL(input);
        const cut = new AbortController();
        seen.cut = () => cut.abort(new Error('cut'));
        init.signal?.addEventListener('abort', () => cut.abort());
        const answer = await fetch(`${service.apis.at(-1)?.url}${pathname}${search}`, {
          ...init,
          headers: { ...init.headers, authorization: `Bearer ${service.rootKey}` },
          signal: cut.signal,
        });
        // An EventSource gives up for good on 503, where a failed connection makes it come again.
        if (answer.status === 503) throw new Error('not served now');
        seen.connections += 1;
        return answer;
      },
    },
  );
  source.addEventListener('data', ({ data }) => {
    seen.offsets.push(...(JSON.parse(data) as { offset: string }[]).map(({ offset }) => offset));
  });
  return seen;
}

async function keepSending(from: Account, to: Account, signal: AbortSignal): Promise<number> {
  let sent = 0;
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  while (!signal.aborted) {
    const url = service.apis.at(-1)?.url ?? '';
    const answer = await service
      .call(from, 'messages.sendMessage', { peer, message: `message ${sent}` }, { url })
      .catch(() => null);
    if (answer?.status === 200) sent += 1;
    await sleep(20);
  }
  return sent;
}

async function restartApi(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const old = service.apis.at(-1);
  await service.startApi();
  old?.child.kill(signal);
}

async function restartRedis(): Promise<void> {
  process.kill(service.redis.pid, 'SIGKILL');
  await sleep(500);
  restarted = await startTestRedis({ args: [...KEEPING, dir], port: service.redis.port });
}

it('brings every update once and in order over cut connections and restarts of the API and of Redis', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const [from, to] = await Promise.all([service.anAccount(workspaceId), service.anAccount(workspaceId)]);
  const redis = openRedis(service.redis.url, 'worker', () => undefined);
  const readers = [follow(workspaceId), follow(workspaceId)];
  const done = new AbortController();
  const sending = keepSending(from, to, done.signal);

  const appending = (async () => {
    for (let appended = 0; appended < UPDATES; appended += BATCH) {
      const values = Array.from({ length: BATCH }, (_, index) => ({ value: appended + index }));
      // Sent again after the restart, it finds itself recorded.
      await appendUpdates(redis, workspaceId, values).catch((error: Error) => {
        if (!error.message.includes('recorded')) throw error;
      });
      await sleep((SPAN_MS * BATCH) / UPDATES);
    }
  })();
  const disturbances = new Map<number, () => Promise<void>>([
    [10, () => restartApi('SIGKILL')],
    [20, () => (RUNS_ON_CLUSTER ? restartApi('SIGTERM') : restartRedis())],
    [30, () => restartApi('SIGTERM')],
    [40, () => restartApi('SIGKILL')],
  ]);
  const connections = new Map(readers.map((reader) => [reader, 0]));
  for (let cut = 0; cut < CUTS; cut += 1) {
    const reader = readers[cut % 2] as (typeof readers)[0];
    const before = connections.get(reader) ?? 0;
    await eventually(() => reader.connections > before, { timeoutMs: 30_000 });
    connections.set(reader, reader.connections);
    await disturbances.get(cut)?.();
    await sleep(CONNECTED_MS);
    reader.cut();
  }
  await appending;
  done.abort();
  const sent = await sending;

  const held = await service.updates(workspaceId, '-1', '', service.apis.at(-1)?.url);
  const expected = held.map(({ offset }) => offset);
  expect(expected.length).toBeGreaterThanOrEqual(UPDATES + 2 * sent);
  expect(sent).toBeGreaterThan(50);
  for (const reader of readers) {
    await eventually(() => reader.offsets.length >= expected.length, { timeoutMs: 20_000 });
    reader.close();
    expect(reader.offsets).toEqual(expected);
    expect(reader.connections).toBeGreaterThanOrEqual(CUTS / 2);
  }
  redis.disconnect();
});
