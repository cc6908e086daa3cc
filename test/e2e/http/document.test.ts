import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { Contract, type Operation } from '../../support/http/contract.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { type Account, Service } from '../../support/service/service.ts';

// What has been deleted cannot be read.
const VERBS = ['POST', 'PATCH', 'PUT', 'GET', 'DELETE'];
const OUTERMOST = ['messenger-accounts', 'workspaces', 'organizations'];
const LATER = new Date(Date.now() + 3_600_000).toISOString();

let service: Service;
let receiver: Receiver;
let contract: Contract;
let account: Account;
let organizationId: string;
/** What the parameter of a path names, by what stands before it. */
let ids: Record<string, string>;

beforeAll(async () => {
  service = await Service.start({ workers: 2, env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  receiver = await Receiver.start();
  contract = new Contract(await service.ok('GET', '/openapi.json'));
  const workspace = await service.aWorkspace();
  organizationId = workspace.organizationId;
  account = await service.anAccount(workspace.id);
  const webhook = await service.ok('POST', '/v1/webhooks', { workspaceId: workspace.id, url: receiver.url });
  const key = { name: 'Key', workspaceId: workspace.id, scopes: ['calls:write'] };
  ids = {
    ...{ organizations: organizationId, workspaces: workspace.id, '{workspaceId}': workspace.id },
    ...{ 'messenger-accounts': account.id, webhooks: webhook.id },
    'api-keys': (await service.ok('POST', '/v1/api-keys', key)).id,
    deliveries: (await service.ok('POST', `/v1/webhooks/${webhook.id}/ping`)).id,
    problems: 'not_found',
    methods: 'messages.sendMessage',
    ...{ pauses: 'lane', lane: 'slow' },
    workers: (await service.ok('GET', '/v1/workers')).data[0].id,
  };
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

/** A call that has not ended, or has been canceled. */
async function aCall(isCanceled: boolean): Promise<string> {
  const path = `/workspaces/${account.workspaceId}/messenger-accounts/${account.id}/call/help.getSupport`;
  const { id } = await service.ok('POST', path, { params: {}, scheduleAt: LATER });
  if (isCanceled) await service.ok('DELETE', `/v1/calls/${id}`);
  return id;
}

async function addressOf({ path, operationId, takesCascade }: Operation): Promise<string> {
  const parts = path.split('/');
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1] ?? '';
    if (part.startsWith('{'))
      parts[at] = before === 'calls' ? await aCall(operationId.includes('eplay')) : (ids[before] ?? part);
  }
  return `${parts.join('/')}${takesCascade ? '?cascade=true' : ''}`;
}

function withOwnIds(example: object | undefined): object | undefined {
  if (example === undefined) return undefined;
  const text = JSON.stringify(example)
    .replace(/org_\w{26}/g, organizationId)
    .replace(/ws_\w{26}/g, account.workspaceId)
    .replace(/acc_\w{26}/g, account.id)
    .replace('https://example.com/updates', receiver.url);
  return JSON.parse(text);
}

it('every operation answers its example with 2xx and a body that fits its schema', async () => {
  const operations = contract.operations.filter(({ path }) => !path.includes('/call/'));
  expect(operations.length).toBeGreaterThan(50);
  const rank = ({ verb, path }: Operation) =>
    VERBS.indexOf(verb) * 10 + OUTERMOST.findIndex((name) => path === `/v1/${name}/{id}`);
  operations.sort((a, b) => rank(a) - rank(b));
  for (const operation of operations) {
    const address = await addressOf(operation);
    const { operationId } = operation;
    // The account is needed for other operations.
    const example =
      operationId === 'deleteMessengerAccounts'
        ? { ids: [(await service.anAccount(account.workspaceId)).id] }
        : withOwnIds(operation.example);
    const answer = await service.request(operation.verb, address, example);
    expect([operationId, Math.floor(answer.status / 100), contract.wrongWith(operation, answer)]).toEqual([
      operationId,
      2,
      null,
    ]);
  }
});

it('webhooks send what the document says', async () => {
  const other = await service.anAccount((await service.aWorkspace()).id);
  const { id } = await service.ok('POST', '/v1/webhooks', {
    workspaceId: other.workspaceId,
    url: receiver.url,
  });
  await service.ok('POST', `/v1/webhooks/${id}/ping`);
  await service.result(other, 'messages.sendMessage', { peer: { _: 'inputPeerSelf' }, message: 'Hello' });
  const own = () => receiver.events.filter(({ data }) => data.workspaceId === other.workspaceId);
  const kinds = ['webhook.ping', 'RawUpdateNewMessage'];
  await eventually(() => kinds.every((kind) => own().some(({ type }) => type === kind)), {
    timeoutMs: 60_000,
  });
  for (const event of receiver.events)
    expect([event.type, contract.wrongWithWebhook(event)]).toEqual([event.type, null]);
});
