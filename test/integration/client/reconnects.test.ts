import { expect, test } from 'vitest';
import { Client } from '../../../src/client/index.ts';
import { offsetOf } from '../../../src/updates/offset.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { api, useUpdateStream, workspaceId } from '../../support/api/update-stream.ts';

useUpdateStream();

const cut = () => new Response('', { headers: { 'content-type': 'text/event-stream' } });
const page = (status: number) => () =>
  new Response('<html>', { status, headers: { 'content-type': 'text/html' } });
// Until its request is given up.
const silence = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** The first update of a stream whose connections end like this, one after another, before those that reach the API. */
async function firstAfter(
  connections: ((signal: AbortSignal) => Response | Promise<never>)[],
  defaults: { attempts?: number; attemptTimeoutMs?: number },
) {
  const offset = offsetOf(`${await appendUpdates(api.redis, workspaceId, [{}])}-1`);
  await appendUpdates(api.redis, workspaceId, [{ value: 'next' }]);
  const left = [...connections];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const spoil = left.shift();
    return spoil ? spoil(init?.signal as AbortSignal) : globalThis.fetch(input, init);
  };
  const client = new Client({ url: api.url, key: api.rootKey, fetch, ...defaults });
  const updates = client.workspace(workspaceId).updates({ offset });
  const { value } = await updates.next();
  await updates.return();
  expect(left).toEqual([]);
  return value;
}

test('a stream goes on whatever a proxy says while the API is away', async () => {
  const away = [500, 200, 521].map(page);
  // Many attempts are for the first connection only.
  expect(await firstAfter([cut, ...away], { attempts: 1 })).toMatchObject({ update: { value: 'next' } });
});

test('an API that says nothing to a reader who comes back is asked again as soon as the client has set', async () => {
  const value = await firstAfter([cut, silence], { attemptTimeoutMs: 1_000 });
  expect(value).toMatchObject({ update: { value: 'next' } });
});
