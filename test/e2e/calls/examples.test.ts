import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Contract } from '../../support/http/contract.ts';
import { type Account, Service } from '../../support/service/service.ts';

/** Executed methods without an example, and why. */
const WITHOUT: Record<string, string> = {
  'bots.getBotCommands': 'only a bot has commands',
  'bots.resetBotCommands': 'only a bot has commands',
  'bots.setBotCommands': 'only a bot has commands',
  'bots.getBotInfo': 'only a bot says something of itself',
  'bots.getBotMenuButton': 'only a bot has a menu',
  'bots.setBotBroadcastDefaultAdminRights': 'only a bot suggests rights',
  'bots.setBotGroupDefaultAdminRights': 'only a bot suggests rights',
  'bots.setBotInfo': 'only a bot says something of itself',
  'bots.setBotMenuButton': 'only a bot has a menu',
  'messages.setBotCallbackAnswer': 'only a bot is asked by buttons',
};

let service: Service;
let workspaceId: string;
beforeAll(async () => {
  service = await Service.start();
  workspaceId = (await service.aWorkspace()).id;
});
afterAll(() => service.stop());

async function listExecuted(): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&startingAfter=${encodeURIComponent(cursor)}`;
    const page = await service.ok('GET', `/v1/methods?executed=true&limit=100${from}`);
    found.push(...page.data.map(({ name }: { name: string }) => name));
    cursor = page.cursors.next;
  }
  return found;
}

async function exampleFor(account: Account, name: string): Promise<object | null> {
  const method = await service.ok('GET', `/v1/methods/${name}?messengerAccountId=${account.id}`);
  expect(method.executed).toBe(true);
  return method.example?.params ?? null;
}

describe('GET /v1/methods', () => {
  it('gives an account examples that succeed with a result of the documented shape, each once, for every executed method', async () => {
    const executed = await listExecuted();
    expect(executed.length).toBeGreaterThan(60);
    const contract = new Contract(await service.ok('GET', '/openapi.json'));
    const path = '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call';
    const without: string[] = [];
    const failed: unknown[] = [];
    for (const name of executed) {
      const account = await service.anAccount(workspaceId);
      const params = await exampleFor(account, name);
      if (params === null) {
        without.push(name);
        continue;
      }
      const answer = await service.call(account, name, params);
      const wrong = contract.wrongWith({ verb: 'POST', path: `${path}/${name}` }, answer);
      if (answer.status !== 200 || wrong !== null) failed.push([name, answer.body, wrong]);
    }
    expect(failed).toEqual([]);
    expect(without.toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
  });

  it('gives a bot those of methods that are for bots alone', async () => {
    const ofBots = Object.keys(WITHOUT).filter((name) => name.startsWith('bots.'));
    for (const name of [...ofBots, 'messages.setBotCallbackAnswer']) {
      const bot = await service.anAccount(workspaceId, { bot: true });
      await service.result(bot, name, (await exampleFor(bot, name)) ?? {});
    }
  });

  it('gives them for strict accounts as well, with their real access hashes', async () => {
    const account = await service.anAccount(workspaceId, { strictPeers: true });
    for (const name of ['messages.sendMessage', 'channels.joinChannel', 'phone.joinGroupCall'])
      await service.result(account, name, (await exampleFor(account, name)) ?? {});
  });

  it('is for keys that may see the account', async () => {
    const account = await service.anAccount(workspaceId);
    const keyOf = async (scopes: string[], of: string) => {
      const { secret } = await service.ok('POST', '/v1/api-keys', { name: 'Key', workspaceId: of, scopes });
      return secret;
    };
    const paths = ['/v1/methods', '/v1/methods/messages.sendMessage'].map(
      (path) => `${path}?messengerAccountId=${account.id}`,
    );
    const ask = async (key: string) =>
      Promise.all(paths.map(async (path) => (await service.request('GET', path, undefined, { key })).status));
    expect(await ask(await keyOf(['calls:write'], workspaceId))).toEqual([403, 403]);
    expect(await ask(await keyOf(['accounts:read'], workspaceId))).toEqual([200, 200]);
    const other = (await service.aWorkspace()).id;
    expect(await ask(await keyOf(['accounts:read'], other))).toEqual([404, 404]);
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
