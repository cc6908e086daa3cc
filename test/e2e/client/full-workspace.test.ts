import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account as ClientAccount } from '../../../src/client/index.ts';
import { eventually } from '../../support/eventually.ts';
import { Cli } from '../../support/service/cli.ts';
import { accountOf, clientOf, peerOf } from '../../support/service/client.ts';
import { type Account, Service } from '../../support/service/service.ts';

const MiB = 1024 * 1024;
const MESSAGES = 100;
const TEXT = 'x'.repeat(4_000);

let service: Service;
let redis: Redis;
let ada: Account;
let bob: Account;
let account: ClientAccount;
let cli: Cli;

beforeAll(async () => {
  service = await Service.start();
  redis = new Redis(service.redis.url);
  const { id } = await service.aWorkspace();
  [ada, bob] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  account = accountOf(clientOf(service), ada);
  cli = new Cli({
    SWITCHBOARD_URL: service.url,
    SWITCHBOARD_KEY: service.rootKey,
    SWITCHBOARD_WORKSPACE: id,
    SWITCHBOARD_ACCOUNT: ada.id,
  });
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

const workspacePath = () => `/v1/workspaces/${ada.workspaceId}`;
const used = async (): Promise<number> => (await service.ok('GET', workspacePath())).bytesUsed;
const setBudget = (bytesMax: number) => service.ok('PATCH', workspacePath(), { bytesMax });

/** How many Idempotency-Keys something is kept for. */
async function keys(): Promise<number> {
  return (await redis.keys('*:ledger:key-*')).length;
}

async function send(message: string): Promise<number> {
  const { result } = await account.messages.sendMessage({ peer: peerOf(bob), message });
  if (result._ !== 'updateShortSentMessage') throw new Error(result._);
  return result.id;
}

const history = () => ({
  ...{ peer: peerOf(bob), offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0 },
  hash: '0',
});

/** How many of the long messages there are. */
async function read(): Promise<number> {
  const { result } = await account.messages.getHistory(history());
  if (result._ === 'messages.messagesNotModified') throw new Error(result._);
  return result.messages.filter((one) => one._ === 'message' && one.message.endsWith(TEXT)).length;
}

// Each call of the client and of the command line has an Idempotency-Key. A fifth is more than the count of bytes may be corrected by.
describe.each([
  { name: 'that is full', budgetOf: (bytes: number) => Math.floor(bytes * 0.8) },
  { name: 'whose budget was lowered to far less than it keeps', budgetOf: () => 1 },
])('a workspace $name', ({ budgetOf }) => {
  let budget: number;
  const sent: number[] = [];

  beforeAll(async () => {
    await setBudget(0);
    for (let n = 0; n < MESSAGES; n += 1) sent.push(await send(`${n} ${TEXT}`));
    // Beyond the smaller budget by more than what removals may use.
    expect(await used()).toBeGreaterThan(1.1 * MiB);
    budget = budgetOf(await used());
    await setBudget(budget);
  });

  it('is read with the client and on the command line, and keeps nothing of that', async () => {
    const before = await keys();
    expect(await read()).toBe(MESSAGES);
    expect((await account.help.getSupport()).result._).toBe('help.support');
    const [{ result }] = await cli.json(['call', 'messages.getHistory', JSON.stringify(history())]);
    expect(result.messages).toHaveLength(MESSAGES);
    expect(await keys()).toBe(before);
  });

  it('refuses what adds to it, under a key that is free again then', async () => {
    const full = { status: 507, code: 'workspace_full' };
    const message = { peer: peerOf(bob), message: 'One more' };
    for (let n = 0; n < 2; n += 1) {
      const sending = account.messages.sendMessage(message, { idempotencyKey: 'one more' });
      await expect(sending).rejects.toMatchObject(full);
    }
    // An async call is itself kept.
    await expect(account.async.messages.deleteMessages({ id: sent })).rejects.toMatchObject(full);
    const said = await cli.run(['call', 'messages.sendMessage', JSON.stringify(message)]);
    expect(said.code).not.toBe(0);
    expect(said.stderr).toMatch(/delete something/i);
  });

  it('says what is wrong with a call, and keeps nothing of that', async () => {
    const before = await keys();
    const wrong = account.messages.editMessage({ peer: peerOf(bob), id: 2 ** 30, message: 'x' });
    await expect(wrong).rejects.toMatchObject({ status: 400, code: 'MESSAGE_ID_INVALID' });
    expect(await keys()).toBe(before);
  });

  it('has room once messages are deleted, with the client and on the command line', async () => {
    // As many at a time as fit one commit.
    for (let at = 0; at < MESSAGES - 20; at += 20) {
      const deletion = { id: sent.slice(at, at + 20), revoke: true };
      const once = { idempotencyKey: `delete from ${sent[at]}` };
      const { txid } = await account.messages.deleteMessages(deletion, once);
      expect((await account.messages.deleteMessages(deletion, once)).txid).toBe(txid);
    }
    expect(await read()).toBe(20);
    const rest = JSON.stringify({ id: sent.slice(-20), revoke: true });
    await cli.json(['call', 'messages.deleteMessages', rest]);
    expect(await read()).toBe(0);
    if (budget === 1) await setBudget((await used()) + MiB);
    // What was deleted during a measurement of the workspace counts until the next one.
    const id = await eventually(() => send('There is room').catch(() => undefined), { timeoutMs: 60_000 });
    await account.messages.deleteMessages({ id: [id] });
  });
});
