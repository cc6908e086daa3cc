import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { topicsKey } from '../../../workers/sandbox/model/conversations/keys.ts';
import { requestedInfoKey } from '../../../workers/sandbox/model/payments/keys.ts';
import { Random } from '../../support/random.ts';
import { inputOf } from '../../support/sandbox/a-channel.ts';
import { Refused, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

/** So many may have nothing left to act on: without it, whatever removes something would make the rest pass. */
const GONE_MAX = 12;

/** What has no example any more when it comes in alphabetical order, and why. */
const USED_UP: Record<string, string> = {
  'account.registerPasskey':
    'the challenge of account.initPasskeyRegistration is answered by an authenticator alone',
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

async function examplesOf(
  account: SandboxAccount,
  methods: readonly string[],
): Promise<Record<string, object>> {
  return (await sandbox.order(account, 'getExamples', { methods })).examples;
}

/** Sends the example of each method, made for the account as it is then; gives what was refused, and what had no example any more. */
async function sendAll(account: SandboxAccount, names: readonly string[]) {
  const refused: string[] = [];
  const before = await examplesOf(account, names);
  const gone: string[] = [];
  for (const name of names) {
    const examples = await examplesOf(account, [name]);
    if (!examples[name]) {
      // Some are for bots alone, or for what an account has to do first.
      if (before[name]) gone.push(name);
      continue;
    }
    await sandbox.call(account, name, examples[name]).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      refused.push(`${name}: ${error.code}`);
    });
  }
  return { refused, gone };
}

/** How many bytes Redis has sent. */
async function sentBytes(): Promise<number> {
  return Number(/total_net_output_bytes:(\d+)/.exec(await sandbox.redis.info('stats'))?.[1]);
}

function shuffled(names: string[], seed: number): string[] {
  const random = new Random(seed);
  const left = [...names];
  return names.map(() => left.splice(random.below(left.length), 1)[0] as string);
}

it('examples succeed in any order, for they are made of what the account has by then', async () => {
  const names = [...sandbox.driver.methods.keys()].toSorted();
  const orders = {
    alphabetical: names,
    backwards: names.toReversed(),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((seed) => [`random ${seed}`, shuffled(names, seed)])),
  };
  for (const [title, order] of Object.entries(orders)) {
    const { refused, gone } = await sendAll(await sandbox.anAccount(), order);
    expect(refused, title).toEqual([]);
    expect(gone.length, `${title}: ${gone}`).toBeLessThanOrEqual(GONE_MAX);
    if (title === 'alphabetical') expect(gone).toEqual(Object.keys(USED_UP));
  }
}, 120_000);

it('there are none that act on channels and calls that were deleted', async () => {
  const ada = await sandbox.anAccount();
  const { channelId, forumId } = await sandbox.seeded(ada);
  for (const id of [channelId, forumId])
    await sandbox.call(ada, 'channels.deleteChannel', { channel: inputOf(id) });
  const { refused } = await sendAll(ada, [...sandbox.driver.methods.keys()].toSorted());
  expect(refused).toEqual([]);
});

it('the sender of the unheard voice message of a new account hears of it by the example', async () => {
  const ada = await sandbox.anAccount();
  const { contactId } = await sandbox.seeded(ada);
  const name = 'messages.readMessageContents';
  const read = async () =>
    sandbox.watch(ada, async () => sandbox.call(ada, name, (await examplesOf(ada, [name]))[name]));
  const kind = 'RawUpdateReadMessagesContents';
  const told = [
    { kind, userId: contactId },
    { kind, accountId: ada.id },
  ];
  expect((await read()).updates).toMatchObject(told);
  expect(await examplesOf(ada, [name])).toEqual({});
  const peer = { _: 'inputPeerUser', userId: contactId, accessHash: '0' };
  const { document } = (await sandbox.newest(ada, peer)).media;
  const location = { ...document, _: 'inputDocumentFileLocation', thumbSize: '' };
  for (const more of ['date', 'mimeType', 'size', 'dcId', 'attributes']) delete location[more];
  const { bytes } = await sandbox.call(ada, 'upload.getFile', { location, offset: 0, limit: 4_096 });
  expect(Buffer.from(bytes, 'base64').toString('latin1')).toMatch(/^OggS/);
  while (!(await sandbox.order(ada, 'resetAccount')).done);
  expect((await read()).updates).toMatchObject(told);
});

it('an example of a topic is found without reading all topics', async () => {
  const ada = await sandbox.anAccount();
  const { forumId } = await sandbox.seeded(ada);
  const topics = Array.from({ length: 20_000 }, (_, i) => [`${i + 1_000}`, '{}']);
  await sandbox.redis.hset(stateKey(ada.workspaceId, topicsKey(forumId)), Object.fromEntries(topics));
  const before = await sentBytes();
  const names = ['messages.deleteTopicHistory'];
  expect(await examplesOf(ada, names)).toMatchObject({ 'messages.deleteTopicHistory': { topMsgId: 2 } });
  expect((await sentBytes()) - before).toBeLessThan(100_000);
});

it('an example of a payment has information for its invoice, found without reading all', async () => {
  const ada = await sandbox.anAccount();
  const { invoiceId } = await sandbox.seeded(ada);
  const key = stateKey(ada.workspaceId, requestedInfoKey(ada.userId));
  const validate = (id: string, count: number) => {
    const value = JSON.stringify({ invoiceId: id, info: { _: 'paymentRequestedInfo', name: 'Ada' } });
    return sandbox.redis.hset(key, Object.fromEntries(Array.from({ length: count }, (_, i) => [i, value])));
  };
  const name = 'payments.sendPaymentForm';
  await sandbox.redis.del(key);
  await validate('1', 1);
  expect(await examplesOf(ada, [name])).toEqual({});
  await validate(invoiceId as string, 20_000);
  const before = await sentBytes();
  expect(await examplesOf(ada, [name])).toHaveProperty([name, 'requestedInfoId']);
  expect((await sentBytes()) - before).toBeLessThan(100_000);
});
