import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Webhook } from '../../../src/directory/collections.ts';
import { SecretBox } from '../../../src/directory/secret-box.ts';
import { newId } from '../../../src/ids.ts';
import { openRedis, type RedisConnection } from '../../../src/redis/connections.ts';
import { updatesKey } from '../../../src/redis/keys.ts';
import type { Trace } from '../../../src/tracing/trace.ts';
import { offsetOf } from '../../../src/updates/offset.ts';
import { newDelivery } from '../../../src/webhooks/delivery.ts';
import { HostLookups } from '../../../src/webhooks/host-lookups.ts';
import { newSigningSecret } from '../../../src/webhooks/signing-secrets.ts';
import { attemptDelivery } from '../../../workers/delivery/attempt-delivery.ts';
import { Poster } from '../../../workers/delivery/post.ts';
import { FairSemaphore } from '../../../workers/turns/fair-semaphore.ts';
import { eventually } from '../../support/eventually.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let receiver: Receiver;
const hosts = new HostLookups({ timeoutMs: 2_000 });
const poster = new Poster({ allowPrivate: true, timeoutMs: 5_000, hosts });

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis(server.url, 'worker', () => undefined);
  receiver = await Receiver.start();
});
afterAll(async () => {
  poster.close();
  redis.disconnect();
  await Promise.all([receiver.stop(), server.stop()]);
});

it('says in the span which attempt it is, and ends it when that is answered, however long it then waits for a place', async () => {
  const id = newId('webhook');
  const [workspaceId, organizationId] = [newId('workspace'), newId('organization')];
  const box = new SecretBox(Buffer.alloc(32, 7));
  const secrets = [{ sealed: box.seal(id, newSigningSecret()), until: null }];
  const webhook = { id, workspaceId, organizationId, url: receiver.url, secrets } as unknown as Webhook;
  const entryId = `${Date.now()}-1`;
  await redis.xadd(updatesKey(workspaceId), entryId, 'k', 'RawUpdateConfig', 't', 'the trace');
  const offset = offsetOf(entryId);
  const delivery = newDelivery({ kind: 'RawUpdateConfig', offset, messengerAccountId: null });
  delivery.tries = 2;
  let isEnded = false;
  const trace = {
    context: { parent: 'the span' },
    end: () => {
      isEnded = true;
    },
  } as unknown as Trace;
  const semaphore = new FairSemaphore(1);
  const spans: unknown[] = [];
  const deliver = (...said: unknown[]) => {
    spans.push(said);
    return trace;
  };
  const context = { redis, box, poster, semaphore, tracing: { deliver } };
  const attempted = semaphore.run(organizationId, () => attemptDelivery(context, webhook, delivery));
  // It gets the place while the attempt waits for the answer, and keeps it.
  const other = semaphore.run('other', () => eventually(() => isEnded));
  await other;
  expect(await attempted).toMatchObject({ verdict: 'taken' });
  const attributes = { 'switchboard.delivery.id': delivery.id, 'switchboard.attempt': 3 };
  expect(spans).toMatchObject([
    ['the trace', organizationId, 'deliver webhook', { kind: 'client', attributes }],
  ]);
});
