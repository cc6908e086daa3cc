import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { type Subscriber, subscribe } from '../../support/http/subscriber.ts';

const SUBSCRIBERS = 150;
const LIMIT = 200;
// Twenty readers of 30 MB each keep a busy machine busy for a while.
const PATIENT = { timeoutMs: 60_000 };

let api: TestApi;
let workspaceId: string;
let path: string;
beforeAll(async () => {
  api = await TestApi.start({ SUBSCRIBERS_PER_KEY: String(LIMIT) });
});
beforeEach(async () => {
  workspaceId = (await api.aTenant()).workspaceId;
  path = `/v1/workspaces/${workspaceId}/updates`;
});
afterAll(() => api.stop());

function openAll(count: number, key = api.rootKey): Promise<Subscriber[]> {
  const url = `${api.url}${path}?offset=now&live=sse`;
  return Promise.all(Array.from({ length: count }, () => subscribe(url, key)));
}

function valuesOf({ events }: Subscriber): number[] {
  return events.flatMap(({ data }) =>
    (JSON.parse(data) as { update: { value: { number: number } } }[]).map(
      ({ update }) => update.value.number,
    ),
  );
}

async function append(from: number, count: number, bytes: number): Promise<void> {
  const filling = 'x'.repeat(bytes);
  for (let number = from; number < from + count; number++)
    await appendUpdates(api.redis, workspaceId, [{ value: { number, filling } }]);
}

function closeAll(subscribers: Subscriber[]): void {
  for (const subscriber of subscribers) subscriber.request.destroy();
}

test('every one of many subscribers gets every update, for few reads of Redis', async () => {
  const subscribers = await openAll(SUBSCRIBERS);
  const readsBefore = await scriptRuns();
  await append(0, 100, 200);
  await eventually(() => subscribers.every(({ events }) => events.at(-1)?.data.includes('"number":99,')));
  const expected = Array.from({ length: 100 }, (_, index) => index);
  for (const subscriber of subscribers) expect(valuesOf(subscriber)).toEqual(expected);
  // Each append is a script too, and each of them wakes the one reader that all share.
  expect((await scriptRuns()) - readsBefore).toBeLessThan(2 * 100 + 50);
  closeAll(subscribers);
});

test('a subscriber is sent a burst in its order, a slice at a time', async () => {
  const [subscriber] = (await openAll(1)) as [Subscriber];
  await append(0, 1, 10);
  await eventually(() => subscriber.events.length === 1);

  const filling = 'x'.repeat(1_000);
  await appendUpdates(
    api.redis,
    workspaceId,
    Array.from({ length: 450 }, (_, index) => ({ value: { number: index + 1, filling } })),
  );
  await eventually(() => subscriber.events.at(-1)?.data.includes('"number":450,'));
  expect(valuesOf(subscriber)).toEqual(Array.from({ length: 451 }, (_, index) => index));
  for (const { data } of subscriber.events) expect(JSON.parse(data).length).toBeLessThanOrEqual(100);
  closeAll([subscriber]);
});

test('one that stops reading costs little, is cut off where it can go on, and nobody else notices', async () => {
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => sockets.add(socket);
  api.app.server.on('connection', onConnection);
  const [stalled] = (await openAll(1)) as [Subscriber];
  api.app.server.off('connection', onConnection);
  const [socket] = sockets as unknown as [Socket];
  const others = await openAll(20);
  await append(0, 1, 10);
  await eventually(() => stalled.events.length === 1);
  const resume = stalled.lastId;
  stalled.response.socket.pause();
  stalled.response.pause();

  let mostHeld = 0;
  const watching = setInterval(() => {
    mostHeld = Math.max(mostHeld, socket.writableLength);
  }, 5);
  // 30 MB: more than the buffers of both ends hold, and more than is kept of the stream in memory.
  const filling = 'x'.repeat(50_000);
  for (let number = 1; number <= 600; number += 5) {
    const values = [0, 1, 2, 3, 4].map((index) => ({ value: { number: number + index, filling } }));
    await appendUpdates(api.redis, workspaceId, values);
  }
  await eventually(
    () => others.every(({ events }) => events.at(-1)?.data.includes('"number":600,')),
    PATIENT,
  );
  const expected = Array.from({ length: 601 }, (_, index) => index);
  for (const other of others) expect(valuesOf(other)).toEqual(expected);
  await eventually(() => socket.destroyed, PATIENT);
  clearInterval(watching);
  expect(mostHeld).toBeGreaterThan(0);
  expect(mostHeld).toBeLessThan(2 * 1024 * 1024);

  const found: number[] = [];
  for (let at = resume, isDone = false; !isDone; ) {
    const page = await api.request('GET', `${path}?offset=${at}`);
    found.push(
      ...page.body.map((entry: { update: { value: { number: number } } }) => entry.update.value.number),
    );
    at = page.headers.get('stream-next-offset') as string;
    isDone = page.headers.get('stream-up-to-date') === 'true';
  }
  expect(found).toEqual(expected.slice(1));
  closeAll([stalled, ...others]);
});

test('an API key holds so many live reads open and no more; another key is not concerned', async () => {
  const [key, other] = await Promise.all([
    api.aKey({ workspaceId }, ['updates:read']),
    api.aKey({ workspaceId }, ['updates:read']),
  ]);
  const subscribers = await openAll(LIMIT, key);
  for (const live of ['sse', 'long-poll']) {
    const refused = await api.request('GET', `${path}?offset=now&live=${live}`, undefined, { key });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', retryable: true } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect((await api.request('GET', path, undefined, { key })).status).toBe(200);
  closeAll(await openAll(1, other));
  closeAll(subscribers.splice(0, 1));
  const [again] = await eventually(() => openAll(1, key).catch(() => null));
  closeAll([...subscribers, again as Subscriber]);
});

async function scriptRuns(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await api.redis.info('commandstats'))?.[1] ?? 0);
}
