import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Answer, Service } from '../../support/service/service.ts';

/** Executed methods without an example, and why. */
const WITHOUT: Record<string, string> = {
  'payments.getPaymentReceipt': 'a new account has paid nothing',
  'phone.startScheduledGroupCall': 'no call is scheduled for a new account',
};

let service: Service;
let workspaceId: string;
beforeAll(async () => {
  service = await Service.start();
  workspaceId = (await service.aWorkspace()).id;
});
afterAll(() => service.stop());

async function* pagesFor(account: Account | null, key?: string): AsyncGenerator<Answer['body'][]> {
  const of = account ? `&messengerAccountId=${account.id}` : '';
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&startingAfter=${encodeURIComponent(cursor)}`;
    const path = `/v1/methods?limit=100${of}${from}`;
    const page = await service.request('GET', path, undefined, key === undefined ? {} : { key });
    expect(page.status).toBe(200);
    yield page.body.data;
    cursor = page.body.cursors.next;
  }
}

async function listMethods(account: Account | null, key?: string): Promise<Answer['body'][]> {
  const found = [];
  for await (const page of pagesFor(account, key)) found.push(...page);
  return found;
}

async function exampleFor(account: Account, name: string): Promise<object> {
  for await (const page of pagesFor(account)) {
    const method = page.find((one) => one.name === name);
    if (method) return method.example.params;
  }
  throw new Error(`${name} is not listed`);
}

describe('GET /v1/methods', () => {
  it('lists every method once, over all pages', async () => {
    const methods = await listMethods(null);
    expect(methods.length).toBe(787);
    expect(new Set(methods.map(({ name }) => name)).size).toBe(787);
    expect(methods.filter(({ example }) => example !== null)).toEqual([]);
  });

  it('gives an account examples that succeed, each once, for every executed method', async () => {
    const methods = await listMethods(await service.anAccount(workspaceId));
    const executed = methods.filter((method) => method.executed);
    expect(executed.length).toBeGreaterThan(60);
    const without = executed.filter(({ example }) => example === null).map(({ name }) => name);
    expect(without.toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
    expect(methods.filter((method) => !method.executed && method.example !== null)).toEqual([]);
    const failed: unknown[] = [];
    for (const { name } of executed.filter(({ example }) => example !== null)) {
      const account = await service.anAccount(workspaceId);
      const params = await exampleFor(account, name);
      await service.result(account, name, params).catch((error) => failed.push(error.message));
    }
    expect(failed).toEqual([]);
  });

  it('gives them for strict accounts as well, with their real access hashes', async () => {
    const account = await service.anAccount(workspaceId, { strictPeers: true });
    for (const name of ['messages.sendMessage', 'channels.joinChannel', 'phone.joinGroupCall'])
      await service.result(account, name, await exampleFor(account, name));
  });

  it('is for keys that may see the account', async () => {
    const account = await service.anAccount(workspaceId);
    const keyOf = async (scopes: string[], of: string) => {
      const { secret } = await service.ok('POST', '/v1/api-keys', { name: 'Key', workspaceId: of, scopes });
      return secret;
    };
    const ask = async (key: string) =>
      (await service.request('GET', `/v1/methods?messengerAccountId=${account.id}`, undefined, { key }))
        .status;
    expect(await ask(await keyOf(['calls:write'], workspaceId))).toBe(403);
    expect(await ask(await keyOf(['accounts:read'], workspaceId))).toBe(200);
    const other = (await service.aWorkspace()).id;
    expect(await ask(await keyOf(['accounts:read'], other))).toBe(404);
    const key = await keyOf(['calls:write'], workspaceId);
    expect((await listMethods(null, key)).length).toBe(787);
  });

  it('refuses a cursor of another list', async () => {
    const [ada, bob] = [await service.anAccount(workspaceId), await service.anAccount(workspaceId)];
    const page = await service.ok('GET', `/v1/methods?limit=5&messengerAccountId=${ada.id}`);
    const cursor = encodeURIComponent(page.cursors.next);
    const foreign = `/v1/methods?limit=5&messengerAccountId=${bob.id}&startingAfter=${cursor}`;
    expect(await service.request('GET', foreign)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  });
});
