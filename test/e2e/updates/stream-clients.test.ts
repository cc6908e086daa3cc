import { stream } from '@durable-streams/client';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Account, type Answer, Service } from '../../support/service/service.ts';

interface Entry {
  offset: string;
  txid: number | null;
}

let service: Service;
let workspaceId: string;
let from: Account;
let to: Account;

beforeAll(async () => {
  service = await Service.start({ apis: 2 });
  workspaceId = (await service.aWorkspace()).id;
  [from, to] = await Promise.all([service.anAccount(workspaceId), service.anAccount(workspaceId)]);
});

afterAll(() => service.stop());

async function send(message: string): Promise<Answer> {
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  const answer = await service.call(from, 'messages.sendMessage', { peer, message });
  expect(answer.status).toBe(200);
  return answer;
}

describe('the client of the Durable Streams project', () => {
  it.each(['long-poll', 'sse'] as const)('follows by %s, each update once and in order', async (live) => {
    const abort = new AbortController();
    const followed = await stream<Entry>({
      url: `${service.url}/v1/workspaces/${workspaceId}/updates`,
      headers: { authorization: `Bearer ${service.rootKey}` },
      params: { kind: 'RawUpdateNewMessage' },
      offset: '-1',
      live,
      json: true,
      signal: abort.signal,
      warnOnHttp: false,
    });
    const found: Entry[] = [];
    followed.subscribeJson(({ items }) => void found.push(...items));
    for (let number = 0; number < 100; number += 1) await send(`${live} ${number}`);
    const expected = await service.updates(workspaceId, '-1', 'kind=RawUpdateNewMessage');
    expect(expected.length).toBeGreaterThanOrEqual(200);
    await eventually(() => found.length >= expected.length);
    expect(found).toEqual(expected);
    abort.abort();
  });
});

describe('reading your own writes', () => {
  it('whoever has read up to Stream-Next-Offset of a call has seen its updates, at any API process', async () => {
    for (let number = 0; number < 20; number += 1) {
      const before = await service.request('HEAD', `/v1/workspaces/${workspaceId}/updates`);
      const call = await send(`mine ${number}`);
      const until = call.headers.get('stream-next-offset') as string;
      expect(until).toMatch(/^\d{16}_\d{16}$/);
      const at = before.headers.get('stream-next-offset');
      const url = service.apis[number % 2]?.url ?? service.url;
      const path = `/v1/workspaces/${workspaceId}/updates?offset=${at}`;
      const page = await service.request('GET', path, undefined, { url });
      const seen = (page.body as Entry[]).filter(({ offset }) => offset <= until);
      expect(seen.filter(({ txid }) => txid === call.body.txid)).toHaveLength(2);
      expect(seen.at(-1)?.offset).toBe(until);
    }
  });

  it('a call that only reads names the newest update there was, and a refused one as well', async () => {
    const written = await send('before the read');
    const tail = written.headers.get('stream-next-offset');
    const read = await service.call(from, 'messages.readMessageContents', { id: [1] });
    expect([read.status, read.headers.get('stream-next-offset')]).toEqual([200, tail]);
    const refused = await service.call(from, 'messages.sendMessage', {
      peer: { _: 'inputPeerUser', userId: to.userId, accessHash: '0' },
      message: '',
    });
    expect([refused.status, refused.headers.get('stream-next-offset')]).toEqual([400, tail]);
  });
});

it('every update fits what /asyncapi.json says of its kind', async () => {
  const { body: document } = await service.request('GET', '/asyncapi.json', undefined, { key: null });
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', ...document });
  const updates = await service.updates(workspaceId);
  expect(updates.length).toBeGreaterThan(100);
  const wrong = updates.filter(
    (update) => !ajv.validate({ $ref: `doc#/components/messages/${update.kind}/payload` }, update),
  );
  expect(wrong).toEqual([]);
});
