import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Account, type Answer, Service } from '../../support/service/service.ts';

let service: Service;
let from: Account;
let to: Account;

beforeAll(async () => {
  // No call is to be refused while the machine stands still.
  service = await Service.start({ env: { CALL_TIMEOUT_MS: '600000' } });
  const { id } = await service.aWorkspace();
  [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(() => service.stop());

function send(message: string, key: string, sender = from) {
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  return service.call(
    sender,
    'messages.sendMessage',
    { peer, message },
    { headers: { 'idempotency-key': key } },
  );
}

async function received(message: string): Promise<number> {
  const stream = await service.updates(to.workspaceId);
  return stream.filter(
    ({ messengerAccountId, update }) => messengerAccountId === to.id && update.message?.message === message,
  ).length;
}

it('replays the recorded answer, with the same txid, for the same key and payload', async () => {
  const first = await send('once', 'key-1');
  const second = await send('once', '"key-1"');
  expect(first.status).toBe(200);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
  expect(await received('once')).toBe(1);
});

it('runs a call once however many ask for it at the same time', async () => {
  const [worker] = service.workers;
  // None can be done before the others have come.
  worker?.child.kill('SIGSTOP');
  const answers: Answer[] = [];
  const sent = Array.from({ length: 40 }, async () => answers.push(await send('crowd', 'key-2')));
  await eventually(() => answers.length === 39);
  for (const { status, body } of answers) expect([status, body.code]).toEqual([409, 'call_in_flight']);
  worker?.child.kill('SIGCONT');
  await Promise.all(sent);
  expect(answers.at(-1)?.status).toBe(200);
  expect((await send('crowd', 'key-2')).body).toEqual(answers.at(-1)?.body);
  expect(await received('crowd')).toBe(1);
});

it('refuses a key that was used with another payload, and keeps keys of accounts apart', async () => {
  await send('mine', 'key-3');
  expect(await send('other', 'key-3')).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  const stranger = await service.anAccount(from.workspaceId);
  expect((await send('other', 'key-3', stranger)).status).toBe(200);
});

it('replays errors that will not change, and reads', async () => {
  const headers = { 'idempotency-key': 'key-4' };
  const refused = await service.call(
    from,
    'messages.sendMessage',
    { peer: { _: 'inputPeerUser', userId: 5, accessHash: '0' }, message: 'x' },
    { headers },
  );
  expect(refused.status).toBeGreaterThanOrEqual(400);
  const again = await service.call(
    from,
    'messages.sendMessage',
    { peer: { _: 'inputPeerUser', userId: 5, accessHash: '0' }, message: 'x' },
    { headers },
  );
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual(refused.body);
  const read = () => service.call(from, 'help.getSupport', {}, { headers: { 'idempotency-key': 'key-5' } });
  expect((await read()).body).toEqual((await read()).body);
});

it('refuses a key that is no string of printable characters', async () => {
  for (const key of ['a b', '"open', 'x'.repeat(256)]) {
    expect(await send('bad', key)).toMatchObject({ status: 400, body: { code: 'invalid_header' } });
  }
});

it('gives a retry after the worker died the answer of the first attempt', async () => {
  const [worker] = service.workers;
  const attempts = Array.from({ length: 200 }, (_, i) => send(`retry ${i}`, `retry-${i}`));
  await attempts[0];
  worker?.child.kill('SIGKILL');
  await service.startWorker();
  const answers = await Promise.all(attempts);
  expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  const again = await Promise.all(Array.from({ length: 200 }, (_, i) => send(`retry ${i}`, `retry-${i}`)));
  expect(again.map(({ body }) => body)).toEqual(answers.map(({ body }) => body));
  expect(await received('retry 7')).toBe(1);
});

it('runs a call again at once that failed in a way which may pass, and gives it no second chance of its own', async () => {
  const faults = [
    { method: 'messages.sendMessage', count: 1, error: 'FLOOD_WAIT_3' },
    { method: 'messages.sendMedia', count: 1, error: 'INTERNAL' },
  ];
  const ada = await service.anAccount(from.workspaceId);
  await service.ok('PUT', `/v1/messenger-accounts/${ada.id}/sandbox/faults`, { faults });
  expect((await send('after a flood', 'key-6', ada)).status).toBe(429);
  expect((await send('after a flood', 'key-6', ada)).status).toBe(200);
  expect(await received('after a flood')).toBe(1);

  const geo = { _: 'inputGeoPoint', lat: 1, long: 2 };
  const params = {
    peer: { _: 'inputPeerSelf' },
    media: { _: 'inputMediaGeoPoint', geoPoint: geo },
    message: '',
  };
  const headers = { 'idempotency-key': 'key-7' };
  expect((await service.call(ada, 'messages.sendMedia', params, { headers })).status).toBe(502);
  expect((await service.call(ada, 'messages.sendMedia', params, { headers })).body.code).not.toBe(
    'call_in_flight',
  );

  const unknown = () =>
    service.call(
      ada,
      'messages.getEmojiKeywordsLanguages',
      { langCodes: [] },
      { headers: { 'idempotency-key': 'key-8' } },
    );
  expect((await unknown()).status).toBe(501);
  expect((await unknown()).status).toBe(501);
});

it('leaves the key of a call free that admission refused', async () => {
  const crowded = await service.startApi({ CALLS_IN_FLIGHT_MAX: '1' });
  const call = (key: string) =>
    service.call(from, 'help.getSupport', {}, { url: crowded.url, headers: { 'idempotency-key': key } });
  const metrics = async () =>
    (await service.request('GET', '/metrics', undefined, { url: crowded.url })).body;
  const workers = service.workers.filter(({ child }) => child.signalCode === null);
  for (const { child } of workers) child.kill('SIGSTOP');
  const first = call('key-9');
  await eventually(async () => (await metrics()).includes('switchboard_calls_in_flight 1\n'));
  expect(await call('key-10')).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  for (const { child } of workers) child.kill('SIGCONT');
  expect((await first).status).toBe(200);
  expect((await call('key-10')).status).toBe(200);
});
