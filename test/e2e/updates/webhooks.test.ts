import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { Receiver } from '../../support/http/receiver.ts';
import {
  type Account,
  type ApiProcess,
  Service,
  type ServiceProcess,
} from '../../support/service/service.ts';

let service: Service;
let receiver: Receiver;
let account: Account;
let webhook: { id: string; secret: string };

beforeAll(async () => {
  service = await Service.start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  // A port that the system gives out to nobody else while the receiver is away.
  receiver = await Receiver.start(await findFreePort());
  account = await service.anAccount((await service.aWorkspace()).id);
  webhook = await service.ok('POST', '/v1/webhooks', {
    workspaceId: account.workspaceId,
    url: receiver.url,
    messengerAccountIds: [account.id],
  });
});
afterEach(() => receiver.stop());

/** Sends messages to the account's own chat; each puts a new message on the stream. */
async function send(from: number, count: number): Promise<void> {
  const peer = { _: 'inputPeerSelf' };
  const calls = Array.from({ length: count }, (_, index) =>
    service.call(account, 'messages.sendMessage', { peer, message: `text ${from + index}` }),
  );
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
}

/** Ids of updates in the order in which each arrived first. */
function arrived(): string[] {
  return [...new Set(receiver.events.map(({ data }) => data.id as string))];
}

async function expectAll(): Promise<void> {
  const stream = await service.updates(account.workspaceId, '-1', `messengerAccountId=${account.id}`);
  const sent = stream.filter(({ kind }) => kind === 'RawUpdateNewMessage').map(({ id }) => id);
  await eventually(() => sent.every((id) => arrived().includes(id)), { timeoutMs: 60_000, everyMs: 100 });
  const order = arrived().filter((id) => sent.includes(id));
  expect(order).toEqual(sent);
}

/** Takes time for every answer, so that something is always under way. */
function answerSlowly(ms: number): void {
  receiver.answer = () => (_, response) => {
    setTimeout(() => response.writeHead(204).end(), ms);
  };
}

function killed(process: ServiceProcess | undefined): void {
  process?.child.kill('SIGKILL');
}

it('sends what calls did, soon and signed', async () => {
  await send(0, 1);
  await eventually(() => receiver.events.some(({ type }) => type === 'RawUpdateNewMessage'));
  for (const { headers, body } of receiver.received) {
    new StandardWebhook(webhook.secret).verify(body, headers as Record<string, string>);
  }
  await expectAll();
});

it('loses nothing when its worker is killed in mid-delivery, twice', async () => {
  answerSlowly(20);
  await send(0, 60);
  for (const count of [5, 25]) {
    await eventually(() => receiver.received.length >= count, { timeoutMs: 60_000, everyMs: 5 });
    killed(service.workers.pop());
    await service.startWorker();
  }
  await expectAll();
});

it('loses nothing when a worker is killed between commit and feed', async () => {
  for (let round = 0; round < 3; round++) {
    const sent = send(round * 10, 10);
    await sent;
    killed(service.workers.pop());
    await service.startWorker();
  }
  await expectAll();
});

it('loses nothing when the API is killed in mid-delivery', async () => {
  answerSlowly(20);
  await send(0, 40);
  await eventually(() => receiver.received.length >= 5, { everyMs: 5 });
  killed(service.apis.shift() as ApiProcess);
  await service.startApi();
  await send(40, 10);
  await expectAll();
});

it('waits for a receiver that is away, and goes on when it is back', async () => {
  const { port } = receiver;
  await receiver.stop();
  await send(0, 5);
  await eventually(async () => {
    const { data } = await service.ok('GET', `/v1/webhooks/${webhook.id}/deliveries`);
    return data.some(
      ({ attempts }: { attempts: { error: string }[] }) => attempts[0]?.error === 'ECONNREFUSED',
    );
  });
  receiver = await Receiver.start(port);
  await service.ok('POST', `/v1/webhooks/${webhook.id}/ping`);
  await eventually(() => receiver.events.some(({ type }) => type === 'webhook.ping'));
  receiver.received.splice(
    0,
    receiver.received.length,
    ...receiver.received.filter(({ body }) => !body.includes('ping')),
  );
  await expectAll();
});

it('refuses private addresses at connect time where a worker may not reach them', async () => {
  killed(service.workers.pop());
  await service.startWorker({ WEBHOOKS_ALLOW_PRIVATE: '0' });
  await send(0, 1);
  const [delivery] = await eventually(async () => {
    const { data } = await service.ok('GET', `/v1/webhooks/${webhook.id}/deliveries`);
    return data[0]?.attempts.length > 0 && data;
  });
  expect(delivery.attempts[0]).toMatchObject({
    statusCode: null,
    error: 'the host has no address, one that is not public, or more than 64',
  });
  await sleep(100);
  expect(receiver.received).toEqual([]);
});
