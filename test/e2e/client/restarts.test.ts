import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../../../src/client/index.ts';
import { findFreePort } from '../../support/free-port.ts';
import { accountOf, clientOf, peerOf } from '../../support/service/client.ts';
import { type Account, type ApiProcess, Service } from '../../support/service/service.ts';

// More of them take as much longer: CLIENT_SENDS=10000.
const SENDS = Number(process.env.CLIENT_SENDS ?? 1_000);
const CALLERS = 15;
// Otherwise all would be over before the API is killed a second time.
const PAUSE_MS = 100;
const KILL_EVERY_MS = 2_000;
const KILLS_MIN = 3;
// A slow machine gets on once nothing is killed any more.
const KILLS_MAX = SENDS / 50;

let service: Service;
let port: string;
let api: ApiProcess;
let client: Client;
let ada: Account;
let bob: Account;
const texts = Array.from({ length: SENDS }, (_, index) => `text ${index}`);

beforeAll(async () => {
  service = await Service.start({ apis: 0 });
  port = String(await findFreePort());
  api = await service.startApi({ PORT: port });
  client = clientOf(service, api.url);
  const { id } = await service.aWorkspace();
  [ada, bob] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(() => service.stop());

it('loses no call and makes none twice while the API is killed and started again every two seconds', {
  timeout: 300 * SENDS,
}, async ({ annotate }) => {
  const killing = new Killing();
  const following = follow();
  const txids = await sendAll();
  const kills = await killing.stop();
  const followed = await following;
  await annotate(`${SENDS} sends, ${kills} kills`);

  expect(kills).toBeGreaterThanOrEqual(KILLS_MIN);
  const updates = await service.updates(bob.workspaceId, '-1', `messengerAccountId=${bob.id}`);
  const arrived = updates.map(({ update }) => update.message.message);
  expect(arrived.toSorted()).toEqual(texts.toSorted());
  expect(updates.map(({ txid }) => txid).sort()).toEqual(txids.sort());
  expect(followed).toEqual(arrived);
});

/** Sends every text, several at a time, and gives the txids. */
async function sendAll(): Promise<number[]> {
  const account = accountOf(client, ada);
  const waiting = [...texts];
  const txids: number[] = [];
  const send = async () => {
    for (let message = waiting.pop(); message !== undefined; message = waiting.pop()) {
      txids.push((await account.messages.sendMessage({ peer: peerOf(bob), message })).txid);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, send));
  return txids;
}

/** The texts as they come on the stream. */
async function follow(): Promise<string[]> {
  const followed: string[] = [];
  const updates = client.workspace(bob.workspaceId).updates({ offset: '-1', accountIds: [bob.id] });
  for await (const item of updates) {
    if (item.kind !== 'RawUpdateNewMessage' || item.update.message._ !== 'message')
      throw new Error(`${item.kind} came`);
    followed.push(item.update.message.message);
    if (followed.length === SENDS) break;
  }
  return followed;
}

class Killing {
  private isOver = false;
  private readonly done = this.run();

  stop(): Promise<number> {
    this.isOver = true;
    return this.done;
  }

  private async run(): Promise<number> {
    for (let kills = 0; kills < KILLS_MAX; kills += 1) {
      await sleep(KILL_EVERY_MS);
      if (this.isOver) return kills;
      const exited = once(api.child, 'exit');
      api.child.kill('SIGKILL');
      await exited;
      service.apis.pop();
      api = await service.startApi({ PORT: port });
    }
    return KILLS_MAX;
  }
}
