import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { Service } from '../../support/service/service.ts';

type Entry = [id: string, fields: string[]];

let service: Service;
let redis: RedisConnection;

beforeAll(async () => {
  service = await Service.start();
  redis = openRedis(service.redis.url, 'worker', () => undefined);
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

/** The commands of the page, in their order. */
function documentedCommands(): string[] {
  const page = readFileSync('docs/streams.md', 'utf8');
  const block = /```redis\n([^`]*)```/.exec(page)?.[1] ?? '';
  return block.trim().split('\n');
}

it('a service reads the Redis stream with exactly the commands of docs/streams.md', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const [from, to] = await Promise.all([service.anAccount(workspaceId), service.anAccount(workspaceId)]);
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  for (const message of ['one', 'two', 'three'])
    await service.result(from, 'messages.sendMessage', { peer, message });
  const expected = await service.updates(workspaceId);
  const commands = documentedCommands();
  expect(commands.map((command) => command.split(' ', 1)[0])).toEqual([
    'XGROUP',
    'XREADGROUP',
    'XACK',
    'XAUTOCLAIM',
  ]);
  const run = (at: number, entryId = '') => {
    const line =
      commands[at]?.replaceAll('<workspaceId>', workspaceId).replaceAll('<entryId>', entryId) ?? '';
    const [name = '', ...args] = line.split(' ');
    return redis.call(name, ...args);
  };

  expect(await run(0)).toBe('OK');
  const [, entries] = (await run(1)) as [string, Entry[]];
  expect(entries.map(asUpdate)).toEqual(
    expected.map(({ offset, kind, messengerAccountId, userId, txid, update }) => ({
      ...{ offset, kind, messengerAccountId, txid, update },
      ...(userId === undefined ? {} : { userId }),
    })),
  );
  const [done = '', ...undone] = entries.map(([id]) => id);
  expect(await run(2, done)).toBe(1);

  // The page says a minute; nothing has been left undone for so long, and for this test it counts from now.
  const [, nothing] = (await run(3)) as [string, Entry[]];
  expect(nothing).toEqual([]);
  commands[3] = commands[3]?.replace('60000', '0') ?? '';
  const [, claimed] = (await run(3)) as [string, Entry[]];
  expect(claimed.map(([id]) => id)).toEqual(undone);
});

/** An entry of the Redis stream, read as the page describes it. */
function asUpdate([id, list]: Entry): Record<string, unknown> {
  const fields = new Map<string, string>();
  for (let at = 0; at < list.length; at += 2) fields.set(list[at] ?? '', list[at + 1] ?? '');
  const [txid = '', place = ''] = id.split('-');
  const user = fields.get('s');
  return {
    offset: `${txid.padStart(16, '0')}_${place.padStart(16, '0')}`,
    kind: fields.get('k'),
    messengerAccountId: fields.get('a') || null,
    txid: fields.get('n') === '1' ? null : Number(txid),
    update: JSON.parse(fields.get('u') ?? ''),
    ...(user === undefined ? {} : { userId: Number(user) }),
  };
}
