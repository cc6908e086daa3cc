import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, verifyWebhook } from '../../../src/client/index.ts';
import { eventually } from '../../support/eventually.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { accountOf, clientOf } from '../../support/service/client.ts';
import { Service } from '../../support/service/service.ts';

let service: Service;
let client: Client;

beforeAll(async () => {
  service = await Service.start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  client = clientOf(service);
});

afterAll(() => service.stop());

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

it('gives the items of a list, over its pages', async () => {
  const { organizationId } = await service.aWorkspace();
  for (let index = 0; index < 120; index += 1)
    await service.ok('POST', '/v1/workspaces', { name: `Workspace ${index}`, organizationId });
  const workspaces = await collect(client.list('workspaces', { organizationId }));
  expect(workspaces).toHaveLength(121);
  expect(new Set(workspaces.map(({ id }) => id)).size).toBe(121);
  expect(workspaces.at(-1)?.name).toBe('Workspace 119');
  expect(await collect(client.list('organizations'))).toContainEqual(
    await service.ok('GET', `/v1/organizations/${organizationId}`),
  );
  for await (const { name } of client.list('workspaces')) {
    expect(name).toBeTruthy();
    break;
  }
});

it('lists the async calls of an account, and verifies what a webhook gets', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const record = await service.anAccount(workspaceId);
  const account = accountOf(client, record);
  const receiver = await Receiver.start();
  const { secret, id } = await service.ok('POST', '/v1/webhooks', { workspaceId, url: receiver.url });
  const call = await account.async.messages.sendMessage({ peer: { _: 'inputPeerSelf' }, message: 'signed' });
  await call.outcome();
  const calls = await collect(client.list('calls', { messengerAccountId: record.id, status: 'succeeded' }));
  expect(calls).toMatchObject([{ id: call.id, method: 'messages.sendMessage' }]);
  expect(await collect(client.list('calls', { messengerAccountId: record.id, status: 'failed' }))).toEqual(
    [],
  );

  await eventually(() => receiver.events.some(({ type }) => type === 'call.succeeded'));
  const events = await Promise.all(
    receiver.received.map(({ headers, body }) => verifyWebhook({ secret, headers, body })),
  );
  const end = events.find((event) => event.type === 'call.succeeded');
  expect(end?.data.update.callId).toBe(call.id);
  const deliveries = await collect(client.deliveries(id));
  expect(deliveries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['call.succeeded']));
  await receiver.stop();
});
