import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Client, NoAnswerError } from '../../../src/client/index.ts';
import { offsetOf } from '../../../src/updates/offset.ts';
import { trimUpdates } from '../../../src/updates/trim-updates.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { api, useUpdateStream, workspaceId } from '../../support/api/update-stream.ts';
import { eventually } from '../../support/eventually.ts';

useUpdateStream();

async function append(): Promise<string> {
  return offsetOf(`${await appendUpdates(api.redis, workspaceId, [{}])}-1`);
}

test('a reader whose offset is gone is told of the gap, and goes on behind it', async () => {
  const [first, , last] = [await append(), await append(), await append()];
  await sleep(50);
  expect(await trimUpdates(api.redis, workspaceId, { maxAgeMs: 20, maxCount: 1_000 })).toBe(3);
  const next = await append();
  const client = new Client({ url: api.url, key: api.rootKey });
  const updates = client.workspace(workspaceId).updates({ offset: first });
  expect((await updates.next()).value).toEqual({ kind: 'stream.gap', from: first, to: last });
  expect((await updates.next()).value).toMatchObject({ kind: 'RawUpdateConfig', offset: next });
  await updates.return();
});

test('a reader beyond the end, which was lost, is told so, and is shown nothing that it had before', async () => {
  const last = [await append(), await append()][1] as string;
  const lost = last.replace(/1$/, '2');
  const client = new Client({ url: api.url, key: api.rootKey });
  const updates = client.workspace(workspaceId).updates({ offset: lost });
  expect((await updates.next()).value).toEqual({ kind: 'stream.gap', from: lost, to: last });
  const next = await append();
  expect((await updates.next()).value).toMatchObject({ kind: 'RawUpdateConfig', offset: next });
  await updates.return();
});

test('a reader learns where it is also behind a gap, and behind updates that its filter leaves out', async () => {
  const [first, , last] = [await append(), await append(), await append()];
  await sleep(50);
  await trimUpdates(api.redis, workspaceId, { maxAgeMs: 20, maxCount: 1_000 });
  const offsets: string[] = [];
  const client = new Client({ url: api.url, key: api.rootKey });
  const updates = client.workspace(workspaceId).updates({
    offset: first,
    kinds: ['RawUpdateDcOptions'],
    onOffset: async (offset) => void offsets.push(offset),
  });
  await updates.next();
  expect(offsets).toEqual([]);
  const next = await append();
  const failure = new NoAnswerError(new Error('of a store of its own'));
  const coming = updates.next();
  await eventually(() => offsets.length === 2);
  expect(offsets).toEqual([last, next]);
  offsets.push = () => {
    throw failure;
  };
  await appendUpdates(api.redis, workspaceId, [{ kind: 'updateDcOptions' }]);
  expect((await coming).value).toMatchObject({ kind: 'RawUpdateDcOptions' });
  await expect(updates.next()).rejects.toBe(failure);
});

test('updates are followed with a `fetch` whose responses are of another class, as that of a library', async () => {
  const fetch: typeof globalThis.fetch = async (...asked) => {
    const answer = await globalThis.fetch(...asked);
    const { ok, status, headers, body } = answer;
    return { ok, status, headers, body, text: () => answer.text() } as Response;
  };
  const offset = await append();
  const next = await append();
  const updates = new Client({ url: api.url, key: api.rootKey, fetch })
    .workspace(workspaceId)
    .updates({ offset });
  expect((await updates.next()).value).toMatchObject({ kind: 'RawUpdateConfig', offset: next });
  await updates.return();
});
