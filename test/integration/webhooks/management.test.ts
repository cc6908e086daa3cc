import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordsKey } from '../../../src/directory/records.ts';
import { newId } from '../../../src/ids.ts';
import { addPing } from '../../../src/webhooks/add-ping.ts';
import { newDelivery } from '../../../src/webhooks/delivery.ts';
import { findDelivery } from '../../../src/webhooks/find-delivery.ts';
import { eraseLines, lineKey, lineKeys } from '../../../src/webhooks/line-keys.ts';
import { appendDeliveries } from '../../../workers/delivery/append-deliveries.ts';
import { settleDelivery } from '../../../workers/delivery/settle-delivery.ts';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { eraseDeleted } from '../../support/redis/erase-deleted.ts';
import { monitorCommands } from '../../support/redis/monitor.ts';

const URL_OF_A_RECEIVER = 'https://203.0.113.9/hook';

let api: TestApi;
let tenant: Awaited<ReturnType<TestApi['aTenant']>>;

beforeAll(async () => {
  api = await TestApi.start({ WEBHOOKS_ALLOW_PRIVATE: '1' });
});
beforeEach(async () => {
  tenant = await api.aTenant();
});
afterAll(() => api.stop());

function create(body: object = {}, key?: string) {
  const wanted = { workspaceId: tenant.workspaceId, url: URL_OF_A_RECEIVER, ...body };
  return api.request('POST', '/v1/webhooks', wanted, key === undefined ? {} : { key });
}

test('changes webhooks of organizations in turns, however many one asks for at once', async () => {
  const loud = await Promise.all(Array.from({ length: 40 }, async () => (await create()).body.id));
  const other = await api.aTenant();
  const quiet = (await create({ workspaceId: other.workspaceId })).body.id;
  let answered = 0;
  const change = async (id: string, index: number) => {
    const { statusCode } = await api.app.inject({
      method: 'PATCH',
      url: `/v1/webhooks/${id}`,
      headers: { authorization: `Bearer ${api.rootKey}` },
      payload: { url: `${URL_OF_A_RECEIVER}/${index}` },
    });
    expect(statusCode).toBe(200);
    answered += 1;
  };
  const asked = [1, 2, 3, 4, 5].flatMap((index) => loud.map((id) => change(id, index)));
  await change(quiet, 0);
  expect(answered).toBeLessThan(40);
  await Promise.all(asked);
});

test('sends what waits at once if the address changes, and not if only a filter or the description does', async () => {
  const webhook = (await create()).body;
  const wakes = () => api.redis.hget(lineKey(webhook, 'state'), 'wake');
  await api.ok('PATCH', `/v1/webhooks/${webhook.id}`, {
    description: 'Receipts',
    kinds: ['RawUpdateNewMessage'],
  });
  expect(await wakes()).toBeNull();
  await api.ok('PATCH', `/v1/webhooks/${webhook.id}`, { url: `${URL_OF_A_RECEIVER}/other` });
  expect(await wakes()).toBe('1');
});

test('changes few webhooks at once, also when it enables them', async () => {
  const ids: string[] = await Promise.all(Array.from({ length: 40 }, async () => (await create()).body.id));
  for (const id of ids) await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
  const begun = new Set<string>();
  let most = 0;
  let isOver = false;
  const watching = await monitorCommands(api.server.port, ([command, key = '', ...rest]) => {
    if (key === 'over') isOver = true;
    const id = ids.find((one) => (command === 'hdel' ? key : rest.join(' ')).includes(one)) ?? '';
    if (command === 'hdel' && rest.includes('failingSince')) most = Math.max(most, begun.add(id).size);
    // Its record is replaced by a script.
    if (command === 'evalsha') begun.delete(id);
  });
  await Promise.all(ids.map((id) => api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' })));
  await api.redis.get('over');
  await eventually(() => isOver);
  watching.destroy();
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(4);
});

describe('a webhook', () => {
  test('is created, read, listed, changed and deleted; its secret is seen once', async () => {
    const made = await create({
      kinds: ['RawUpdateNewMessage', 'RawUpdateNewMessage'],
      messengerAccountIds: [tenant.accountId],
      description: ' Billing ',
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        workspaceId: tenant.workspaceId,
        url: URL_OF_A_RECEIVER,
        kinds: ['RawUpdateNewMessage'],
        messengerAccountIds: [tenant.accountId],
        description: 'Billing',
        status: 'enabled',
        disabledReason: null,
        disabledAt: null,
        gap: null,
      },
    });
    expect(made.headers.get('location')).toBe(`/v1/webhooks/${made.body.id}`);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const end = await api.request('HEAD', `/v1/workspaces/${tenant.workspaceId}/updates`);
    expect(made.headers.get('stream-next-offset')).toBe(end.headers.get('stream-next-offset'));
    const { secret, ...shown } = made.body;
    expect(shown.id).toMatch(/^wh_[0-9a-z]{26}$/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Object.keys(shown)).not.toContain('secrets');
    expect(await api.ok('GET', `/v1/webhooks/${shown.id}`)).toEqual(shown);
    const list = `/v1/webhooks?workspaceId=${tenant.workspaceId}`;
    expect((await api.ok('GET', list)).data).toEqual([shown]);
    const changed = await api.ok('PATCH', `/v1/webhooks/${shown.id}`, {
      kinds: null,
      description: null,
      status: 'disabled',
    });
    expect(changed).toMatchObject({
      kinds: null,
      description: null,
      status: 'disabled',
      disabledReason: 'requested',
    });
    expect(changed.disabledAt).toEqual(expect.any(String));
    expect(await api.ok('PATCH', `/v1/webhooks/${shown.id}`, { status: 'enabled' })).toMatchObject({
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
    });
    expect((await api.request('DELETE', `/v1/webhooks/${shown.id}`)).status).toBe(204);
    expect((await api.request('GET', `/v1/webhooks/${shown.id}`)).status).toBe(404);
    expect((await api.ok('GET', list)).data).toEqual([]);
  });

  test('keeps its secret encrypted, and each rotation gives another', async () => {
    const { id, secret } = (await create()).body;
    const rotated = await Promise.all([1, 2].map(() => api.ok('POST', `/v1/webhooks/${id}/rotate-secret`)));
    const secrets = [secret, ...rotated.map((answer) => answer.secret)];
    expect(new Set(secrets).size).toBe(3);
    const kept = (await api.redis.hget(recordsKey('webhooks'), id)) as string;
    for (const known of secrets) expect(kept).not.toContain(known.slice('whsec_'.length));
    expect(JSON.parse(kept).secrets.map(({ until }: { until: string | null }) => until === null)).toEqual([
      true,
      false,
      false,
    ]);
    expect(JSON.stringify(await api.ok('GET', `/v1/webhooks/${id}`))).not.toContain('sec');
  });

  test('goes with its workspace, and does not make it not_empty', async () => {
    const { id } = (await create()).body;
    await api.ok('DELETE', `/v1/messenger-accounts/${tenant.accountId}`);
    expect((await api.request('DELETE', `/v1/workspaces/${tenant.workspaceId}`)).status).toBe(204);
    expect((await api.request('GET', `/v1/webhooks/${id}`)).status).toBe(404);
    const list = await api.ok('GET', '/v1/webhooks?limit=100');
    expect(list.data.map((found: { id: string }) => found.id)).not.toContain(id);
    await eraseDeleted(api.redis);
    expect(await api.redis.hexists(recordsKey('webhooks'), id)).toBe(0);
    expect(await api.redis.keys(`*${id}*`)).toEqual([]);
  });

  test('is one of at most 50 in its workspace, also when they are made at once', async () => {
    const made = await Promise.all(Array.from({ length: 55 }, () => create()));
    const answers = made.map(({ status }) => status).sort();
    expect(answers).toEqual([...Array(50).fill(201), ...Array(5).fill(409)]);
    expect(await api.redis.keys(`*{${tenant.workspaceId}}*:state`)).toHaveLength(50);
    const first = await api.ok('GET', `/v1/webhooks?workspaceId=${tenant.workspaceId}&limit=30`);
    expect(first.data).toHaveLength(30);
    const path = `/v1/webhooks?workspaceId=${tenant.workspaceId}&startingAfter=${first.cursors.next}&limit=30`;
    expect((await api.ok('GET', path)).data).toHaveLength(20);
  });
});

describe('a key', () => {
  test('of another workspace finds no webhook and cannot make one', async () => {
    const { id } = (await create()).body;
    const foreign = await api.aTenant();
    const key = await api.aKey({ workspaceId: foreign.workspaceId }, ['webhooks:read', 'webhooks:write']);
    expect((await create({}, key)).status).toBe(404);
    for (const [method, path, body] of [
      ['GET', `/v1/webhooks/${id}`],
      ['PATCH', `/v1/webhooks/${id}`, { status: 'disabled' }],
      ['POST', `/v1/webhooks/${id}/rotate-secret`],
      ['DELETE', `/v1/webhooks/${id}`],
    ] as const) {
      expect(await api.request(method, path, body, { key }), path).toMatchObject({
        status: 404,
        body: { code: 'not_found', detail: expect.stringContaining('There is no webhook with that id') },
      });
    }
    expect((await api.ok('GET', '/v1/webhooks', undefined, { key })).data).toEqual([]);
    expect(await api.ok('GET', `/v1/webhooks/${id}`)).toMatchObject({ status: 'enabled' });
  });

  test('needs the scope', async () => {
    const { id } = (await create()).body;
    const key = await api.aKey({ workspaceId: tenant.workspaceId }, ['webhooks:read']);
    expect((await api.request('GET', `/v1/webhooks/${id}`, undefined, { key })).status).toBe(200);
    expect((await create({}, key)).status).toBe(403);
    expect((await api.request('POST', `/v1/webhooks/${id}/rotate-secret`, undefined, { key })).status).toBe(
      403,
    );
  });
});

test.each([
  [{ url: undefined }, '/url'],
  [{ url: '' }, '/url'],
  [{ url: 7 }, '/url'],
  [{ url: 'nonsense' }, '/url'],
  [{ url: 'ftp://203.0.113.9/' }, '/url'],
  [{ url: 'file:///etc/passwd' }, '/url'],
  [{ url: 'https://user:password@203.0.113.9/' }, '/url'],
  [{ url: 'https://203.0.113.9/#part' }, '/url'],
  [{ url: `https://203.0.113.9/${'x'.repeat(2_000)}` }, '/url'],
  [{ kinds: [] }, '/kinds'],
  [{ kinds: 'RawUpdateNewMessage' }, '/kinds'],
  [{ kinds: ['updateNewMessage'] }, '/kinds/0'],
  [{ kinds: Array(101).fill('RawUpdateNewMessage') }, '/kinds'],
  [{ messengerAccountIds: [] }, '/messengerAccountIds'],
  [{ messengerAccountIds: ['acc_nonsense'] }, '/messengerAccountIds/0'],
  [{ messengerAccountIds: [newId('messengerAccount')] }, '/messengerAccountIds/0'],
  [{ description: 'x'.repeat(501) }, '/description'],
  [{ secret: 'whsec_AAAA' }, '/secret'],
  [{ status: 'paused' }, '/status'],
])('%j is refused, at creation and as a change', async (body, pointer) => {
  const { id } = (await create()).body;
  const made = await create(body);
  expect(made.status).toBe(400);
  expect(made.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  if (Object.values(body)[0] === undefined) return;
  expect(await api.request('PATCH', `/v1/webhooks/${id}`, body)).toMatchObject({
    status: 400,
    body: { code: 'invalid_body' },
  });
});

test('the first of many unknown kinds is named, with the one that was probably meant', async () => {
  const kinds = ['RawUpdateNewMessage', ...Array(99).fill('RawUpdateNewMesage')];
  const errors = [{ pointer: '/kinds/1', detail: expect.stringContaining('`RawUpdateNewMessage`?') }];
  expect(await create({ kinds })).toMatchObject({ status: 400, body: { errors } });
  const { id } = (await create()).body;
  const changed = await api.request('PATCH', `/v1/webhooks/${id}`, { kinds });
  expect(changed).toMatchObject({ status: 400, body: { errors } });
});

describe('the deliveries of a webhook', () => {
  const offsetOf = (index: number) => `${String(index + 1).padStart(16, '0')}_0000000000000000`;

  test('a ping that has not been sent yet is answered in place of another', async () => {
    const { id } = (await create()).body;
    const first = await api.request('POST', `/v1/webhooks/${id}/ping`);
    expect(first).toMatchObject({ status: 202, body: { kind: 'webhook.ping', status: 'queued' } });
    for (let count = 0; count < 3; count += 1) {
      const next = await api.request('POST', `/v1/webhooks/${id}/ping`);
      expect(next).toMatchObject({ status: 202, body: { id: first.body.id } });
      expect(next.headers.get('location')).toBe(first.headers.get('location'));
    }
    const other = (await create()).body.id;
    expect((await api.ok('POST', `/v1/webhooks/${other}/ping`)).id).not.toBe(first.body.id);
  });

  test('a ping of a disabled webhook is sent by its repeat if its job was lost', async () => {
    const { id } = (await create()).body;
    await api.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
    const first = await api.ok('POST', `/v1/webhooks/${id}/ping`);
    const jobs = () => api.redis.keys(`*${first.id}*`);
    const [job] = await jobs();
    expect(await api.redis.del(job as string)).toBe(1);
    expect((await api.ok('POST', `/v1/webhooks/${id}/ping`)).id).toBe(first.id);
    expect(await jobs()).toEqual([job]);
  });

  test('a ping of a webhook that is deleted meanwhile leaves nothing', async () => {
    const { id, workspaceId } = (await create()).body;
    await eraseLines(api.redis, { id, workspaceId });
    const ping = newDelivery({ kind: 'webhook.ping', offset: offsetOf(0), messengerAccountId: null });
    await expect(addPing(api.redis, { id, workspaceId }, ping)).rejects.toMatchObject({ code: 'not_found' });
    expect(await api.redis.exists(...lineKeys({ id, workspaceId }))).toBe(0);
  });

  test('a ping whose command is sent again is not begun anew', async () => {
    const owner = { id: (await create()).body.id as string, workspaceId: tenant.workspaceId };
    const ping = newDelivery({ kind: 'webhook.ping', offset: offsetOf(0), messengerAccountId: null });
    await addPing(api.redis, owner, ping);
    const fate = { to: 'succeeded' } as const;
    expect(await settleDelivery(api.redis, owner, ping, fate)).not.toBeNull();
    expect(await addPing(api.redis, owner, ping)).toEqual(ping);
    expect(await findDelivery(api.redis, owner, ping.id)).toMatchObject({ status: 'succeeded' });
    expect(await api.redis.exists(lineKey(owner, 'aside'), lineKey(owner, 'log:queued'))).toBe(0);
  });

  test('are listed page by page, by status, and found by id', async () => {
    const created = await create();
    const { id, workspaceId } = created.body;
    const from = created.headers.get('stream-next-offset') as string;
    const deliveries = Array.from({ length: 5 }, (_, index) =>
      newDelivery({ kind: 'RawUpdateConfig', offset: offsetOf(index), messengerAccountId: null }),
    );
    const ids = deliveries.map((each) => each.id);
    await appendDeliveries(api.redis, { id, workspaceId }, { from, to: offsetOf(5) }, deliveries);
    const path = `/v1/webhooks/${id}/deliveries`;
    const first = await api.ok('GET', `${path}?limit=3`);
    const second = await api.ok('GET', `${path}?limit=3&startingAfter=${first.cursors.next}`);
    const found = [...first.data, ...second.data];
    expect(found.map((each) => each.id)).toEqual(ids);
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    expect(Object.keys(found[0])).not.toContain('data');
    expect((await api.ok('GET', `${path}?status=queued`)).data).toHaveLength(5);
    expect((await api.ok('GET', `${path}?status=failed`)).data).toEqual([]);
    expect(await api.ok('GET', `${path}/${ids[0]}`)).toEqual(found[0]);
    const other = (await create()).body.id;
    expect((await api.request('GET', `/v1/webhooks/${other}/deliveries/${ids[0]}`)).status).toBe(404);
    const foreign = await api.request(
      'GET',
      `/v1/webhooks/${other}/deliveries?startingAfter=${first.cursors.next}`,
    );
    expect(foreign).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });

  test.each([
    ['GET', '/deliveries?status=lost', undefined, 400],
    ['GET', '/deliveries?limit=0', undefined, 400],
    ['GET', '/deliveries?startingAfter=x', undefined, 400],
    ['GET', '/deliveries?since=now', undefined, 400],
    ['GET', '/deliveries/nonsense', undefined, 404],
    ['GET', `/deliveries/${newId('delivery')}`, undefined, 404],
    ['POST', '/deliveries/nonsense/resend', undefined, 404],
    ['POST', `/deliveries/${newId('delivery')}/resend`, undefined, 404],
    ['POST', '/recover', undefined, 400],
    ['POST', '/recover', {}, 400],
    ['POST', '/recover', { since: 'yesterday' }, 400],
    ['POST', '/recover', { since: 7 }, 400],
    ['POST', '/recover', { since: '2026-01-01T00:00:00Z', until: 'x' }, 400],
    ['DELETE', '/ping', undefined, 405],
    ['PUT', '', {}, 405],
  ])('%s %s with %j is refused', async (method, path, body, status) => {
    const { id } = (await create()).body;
    expect((await api.request(method, `/v1/webhooks/${id}${path}`, body)).status).toBe(status);
  });
});
