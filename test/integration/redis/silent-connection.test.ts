import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConnectionRole, openRedis, untilReady } from '../../../src/redis/connections.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';
import { Link } from '../../torture/rig/link.ts';

let redis: TestRedis;
let link: Link;

beforeAll(async () => {
  redis = await startTestRedis();
  link = await Link.open(redis.port);
});

afterAll(async () => {
  await link.close();
  await redis.stop();
});

it('gives up connections that were lost without a word, whatever they are for', async () => {
  const roles: ConnectionRole[] = ['request', 'submit', 'worker', 'state', 'blocking'];
  const connections = roles.map((role) => openRedis(`redis://127.0.0.1:${link.port}`, role, () => undefined));
  await Promise.all(connections.map(untilReady));
  link.forget();
  const served = connections.map((connection) =>
    eventually(() => connection.ping().catch(() => null), { timeoutMs: 40_000, everyMs: 100 }),
  );
  expect(await Promise.all(served)).toEqual(roles.map(() => 'PONG'));
  for (const connection of connections) connection.disconnect();
});

it('makes a connection anew that only listens, and hears on it what it heard before', async () => {
  const address = `redis://127.0.0.1:${link.port}`;
  const subscriber = openRedis(address, 'subscriber', () => undefined);
  const publisher = openRedis(redis.url, 'request', () => undefined);
  await untilReady(publisher);
  let heard = 0;
  subscriber.on('smessage', () => {
    heard += 1;
  });
  await subscriber.ssubscribe('channel');
  const publish = () => publisher.spublish('channel', 'word').then(() => heard > 0);
  await eventually(publish);
  link.forget();
  heard = 0;
  await eventually(publish, { timeoutMs: 40_000, everyMs: 100 });
  for (const connection of [subscriber, publisher]) connection.disconnect();
});
