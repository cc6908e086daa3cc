import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { isCollected } from '../../support/is-collected.ts';

const MiB = 1024 * 1024;

let api: TestApi;
let tenant: { organizationId: string; workspaceId: string; accountId: string };

beforeAll(async () => {
  api = await TestApi.start();
  tenant = await api.aTenant();
});
afterAll(() => api.stop());

const pathOf = (method: string) =>
  `/workspaces/${tenant.workspaceId}/messenger-accounts/${tenant.accountId}/call/${method}`;

/** An async call as it goes over the wire. */
function callText(key: string, waitSeconds: number, method: string, params: object): string {
  const body = JSON.stringify({ params });
  const lines = [
    `POST ${pathOf(method)} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${api.rootKey}`,
    'content-type: application/json',
    `prefer: respond-async, wait=${waitSeconds}`,
    `idempotency-key: ${key}`,
    `content-length: ${body.length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

test('keeps no params of calls whose end is awaited', async () => {
  const WAITING = 20;
  const heldBytes = async () => {
    await isCollected(new WeakRef({}));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const params = { peer: { _: 'inputPeerSelf' }, message: 'x'.repeat(900_000) };
  const before = await heldBytes();
  const callers = await Promise.all(Array.from({ length: WAITING }, () => RawConnection.open(api.url)));
  for (const caller of callers) caller.send(callText('waits', 60, 'messages.sendMessage', params));
  await eventually(() => api.deps.updates.lag.readers === WAITING);
  const isLittle = async () => (await heldBytes()) - before < (WAITING / 4) * MiB;
  const wasLetGo = await eventually(isLittle).catch(() => false);
  for (const caller of callers) caller.close();
  expect(wasLetGo).toBe(true);
});
