import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client, type StreamItem } from '../../../src/client/index.ts';
import { accountOf, clientOf, peerOf } from '../../support/service/client.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let client: Client;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  service = await Service.start();
  client = clientOf(service);
  const { id } = await service.aWorkspace();
  [ada, bob] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(() => service.stop());

async function send(...texts: string[]): Promise<void> {
  for (const message of texts)
    await accountOf(client, ada).messages.sendMessage({ peer: peerOf(bob), message });
}

function textOf(item: StreamItem): string {
  if (item.kind !== 'RawUpdateNewMessage' || item.update.message._ !== 'message') return item.kind;
  return item.update.message.message;
}

/** What comes, until there are so many. */
async function take(items: AsyncIterable<StreamItem>, count: number): Promise<StreamItem[]> {
  const taken: StreamItem[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

it('gives updates as they come, of one account and kind, from an offset on', async () => {
  const workspace = client.workspace(ada.workspaceId);
  const offset = await workspace.offset();
  const updates = workspace.updates({ offset, kinds: ['RawUpdateNewMessage'], accountIds: [bob.id] });
  const coming = take(updates, 3);
  await send('first', 'second', 'third');
  const items = await coming;
  expect(items.map(textOf)).toEqual(['first', 'second', 'third']);
  const [first] = items;
  if (first?.kind !== 'RawUpdateNewMessage') throw new Error('it has another kind');
  expect(first).toMatchObject({ workspaceId: ada.workspaceId, messengerAccountId: bob.id });
  const after = workspace.updates({ offset: first.offset, accountIds: [bob.id] });
  expect((await take(after, 2)).map(textOf)).toEqual(['second', 'third']);
});

it('goes on where the connection was cut, also in the middle of an event', async () => {
  const { url, rootKey: key } = service;
  const cuts = [60, 400, 1_000];
  let opened = 0;
  // Passes on so many bytes of each body, and then cuts it.
  const cutting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const bytes = cuts[opened];
    if (!String(input).includes('live=sse') || bytes === undefined) return response;
    opened += 1;
    let left = bytes;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) controller.error(new TypeError('cut'));
      },
    });
    return new Response(response.body?.pipeThrough(cut), { headers: response.headers });
  };
  const workspace = new Client({ url, key, fetch: cutting }).workspace(ada.workspaceId);
  const texts = Array.from({ length: 20 }, (_, index) => `cut ${index}`);
  const coming = take(workspace.updates({ offset: await workspace.offset(), accountIds: [bob.id] }), 20);
  await send(...texts);
  expect((await coming).map(textOf)).toEqual(texts);
  expect(opened).toBe(cuts.length);
});

it('ends when the loop is left or the signal aborted, and at once if the key may not read', async () => {
  const abort = new AbortController();
  const updates = client.workspace(ada.workspaceId).updates({ signal: abort.signal });
  const coming = updates.next();
  abort.abort(new Error('enough'));
  await expect(coming).rejects.toThrow('enough');
  const stranger = new Client({ url: service.url, key: 'sb_wrong' }).workspace(ada.workspaceId);
  await expect(stranger.updates().next()).rejects.toMatchObject({ code: 'unauthorized', attempts: 1 });
});
