import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostLookups } from '../../../src/webhooks/host-lookups.ts';
import { HostsFile } from '../../../src/webhooks/hosts-file.ts';
import { Poster } from '../../../workers/delivery/post.ts';
import { eventually } from '../../support/eventually.ts';
import { NameServer } from '../../support/http/name-server.ts';

const LOUD = { organizationId: 'loud', workspaceId: 'loud' };
const QUIET = { organizationId: 'quiet', workspaceId: 'quiet' };

let server: NameServer;
let lookups: HostLookups;
let patient: HostLookups;
beforeEach(async () => {
  server = await NameServer.start();
  server.names.set('good.test', '192.0.2.1');
  lookups = new HostLookups({ servers: [server.address], timeoutMs: 1_000 });
  patient = new HostLookups({ servers: [server.address], timeoutMs: 5_000 });
});
afterEach(() => server.stop());

const hangingNames = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    server.names.set(`hangs${index}.test`, 'hangs');
    return `hangs${index}.test`;
  });

test('a name is resolved, whatever its case; one that does not exist is said to', async () => {
  const found = [{ address: '192.0.2.1', family: 4 }];
  expect(await lookups.find(QUIET, 'good.test')).toEqual(found);
  expect(await lookups.find(QUIET, 'GOOD.test')).toEqual(found);
  await expect(lookups.find(QUIET, 'missing.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('a name with more addresses than are looked at is refused', async () => {
  const addresses = Array.from({ length: 65 }, (_, at) => `192.0.2.${at}`);
  server.names.set('some.test', addresses.slice(1).join(' '));
  expect(await lookups.find(QUIET, 'some.test')).toHaveLength(64);
  server.names.set('many.test', addresses.join(' '));
  await expect(lookups.find(QUIET, 'many.test')).rejects.toThrow('the host has more than 64 addresses');
  const poster = new Poster({ allowPrivate: true, timeoutMs: 5_000, hosts: lookups });
  expect(await poster.post('http://many.test/hook', {}, '{}', QUIET)).toMatchObject({
    statusCode: null,
    error: 'the host has more than 64 addresses',
  });
  poster.close();
});

test("no error of a delivery tells which names there are in the service's own network", async () => {
  server.names.set('inside.test', '10.0.0.1');
  server.names.set('many.test', Array.from({ length: 65 }, (_, at) => `192.0.2.${at}`).join(' '));
  const poster = new Poster({ allowPrivate: false, timeoutMs: 5_000, hosts: lookups });
  for (const name of ['inside.test', 'missing.test', 'many.test'])
    expect(await poster.post(`https://${name}/hook`, {}, '{}', QUIET)).toMatchObject({
      statusCode: null,
      error: 'the host has no address, one that is not public, or more than 64',
    });
  poster.close();
});

test('a name server that does not answer for a name ends at the deadline', async () => {
  const [name = ''] = hangingNames(1);
  await expect(lookups.find(LOUD, name)).rejects.toThrow('did not resolve within 1000 ms');
});

test('the same name of a workspace is asked for once at a time', async () => {
  const [name = ''] = hangingNames(1);
  const all = Promise.allSettled(Array.from({ length: 50 }, () => patient.find(LOUD, name)));
  // What was asked for before this has come by then, and a query is not repeated as soon.
  await patient.find(QUIET, 'good.test');
  // Both families, once.
  expect(server.asked.filter((asked) => asked === name)).toHaveLength(2);
  expect((await all).every(({ status }) => status === 'rejected')).toBe(true);
});

test('an organization has most of the lookups while it is alone, and others find theirs at once', async () => {
  const names = hangingNames(300);
  const hanging = Promise.allSettled(names.map((name) => patient.find(LOUD, name)));
  await eventually(() => new Set(server.asked).size >= 80);
  await sleep(100);
  expect(new Set(server.asked).size).toBeLessThanOrEqual(96);
  const times: number[] = [];
  for (let at = 0; at < 20; at += 1) {
    const startedAt = performance.now();
    expect(await patient.find(QUIET, 'good.test')).toHaveLength(1);
    times.push(performance.now() - startedAt);
  }
  // A tenth of what they would wait for one of the others to end; a busy machine may hold up some.
  expect(times.filter((ms) => ms > 500).length).toBeLessThan(10);
  // Who found no permit in time does not wait any more.
  expect((await hanging).every(({ status }) => status === 'rejected')).toBe(true);
  expect(await patient.find(LOUD, 'good.test')).toHaveLength(1);
});

test('those that wait for a permit have theirs when others end', async () => {
  for (let index = 0; index < 400; index += 1) server.names.set(`good${index}.test`, '192.0.2.2');
  const found = await Promise.all(
    Array.from({ length: 400 }, (_, index) => patient.find(LOUD, `good${index}.test`)),
  );
  expect(found).toHaveLength(400);
});

test('names of the hosts file and below localhost need no name server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-hosts-'));
  const path = join(folder, 'hosts');
  await writeFile(
    path,
    '# a comment\n192.0.2.7 Receiver receiver.internal # another\n2001:db8::7 receiver\n',
  );
  const hosts = new HostsFile(path);
  const local = new HostLookups({ servers: [server.address], timeoutMs: 1_000, hosts });
  expect(await local.find(QUIET, 'receiver')).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
  expect(await local.find(QUIET, 'receiver.internal')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  for (const name of ['localhost', 'app.localhost', 'localhost.'])
    expect((await local.find(QUIET, name)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
  expect(server.asked).toEqual([]);
  expect(await local.find(QUIET, 'good.test')).toHaveLength(1);
  await rm(folder, { recursive: true });
});
