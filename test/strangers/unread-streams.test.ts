import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, untilReady } from '../../src/redis/connections.ts';
import { appendUpdates } from '../support/api/append-update.ts';
import { eventually } from '../support/eventually.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import { Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const MiB = 1024 * 1024;
const READERS = 2_500;
const KEYS = 2;
const UPDATES = 2_500;
const UPDATE_TEXT = 'x'.repeat(8 * 1024);
const AT_ONCE = 50;

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
});
afterAll(() => service.stop());

it('holds little of what thousands of live reads do not take, though each stands elsewhere on the stream', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const redis = openRedis(service.redis.url, 'request', () => undefined);
  await untilReady(redis);
  for (let at = 0; at < UPDATES; at += 50)
    await appendUpdates(
      redis,
      workspaceId,
      Array.from({ length: 50 }, () => ({ accountId: null, value: UPDATE_TEXT })),
    );
  redis.disconnect();
  const stream = await service.updates(workspaceId);
  const offsets = stream.map(({ offset }) => offset as string);
  const secrets: string[] = [];
  for (let index = 0; index < KEYS; index += 1) {
    const wanted = { name: 'Stranger', workspaceId, scopes: ['updates:read'] };
    secrets.push((await service.ok('POST', '/v1/api-keys', wanted)).secret);
  }
  const before = victim.apiMemory();
  const readers: RawConnection[] = [];
  const open = async (index: number) => {
    const reader = await RawConnection.open(service.url);
    reader.socket.pause();
    const path = `/v1/workspaces/${workspaceId}/updates?live=sse&offset=${offsets[index % offsets.length]}`;
    reader.send(`GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${secrets[index % KEYS]}\r\n\r\n`);
    readers.push(reader);
  };
  const harm = await victim.during(async () => {
    for (let at = 0; at < READERS; at += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, each) => open(at + each)));
    await sleep(12_000);
  });
  expectUnhurt('2,500 unread streams', harm);
  const startedAt = performance.now();
  await eventually(() => victim.apiMemory() < before + 100 * MiB, { timeoutMs: 60_000, everyMs: 500 });
  process.stderr.write(
    `unread streams: back after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`,
  );
  for (const reader of readers) reader.close();
  expect((await service.request('GET', '/livez')).status).toBe(200);
}, 200_000);
