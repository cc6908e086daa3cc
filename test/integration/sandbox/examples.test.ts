import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { topicsKey } from '../../../workers/sandbox/model/conversations/keys.ts';
import { Random } from '../../support/random.ts';
import { Refused, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

/** So many may have nothing left to act on: without it, whatever removes something would make the rest pass. */
const GONE_MAX = 12;

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

/** Sends the example of each method, made for the account as it is then; gives what was refused, or cannot be shown any more. */
async function sendAll(account: SandboxAccount, names: readonly string[]): Promise<string[]> {
  const refused: string[] = [];
  const before = await examplesOf(account, names);
  let gone = 0;
  for (const name of names) {
    const examples = await examplesOf(account, [name]);
    if (!examples[name]) {
      // Some are for bots alone, or for what an account has to do first.
      if (before[name]) gone += 1;
      continue;
    }
    await sandbox.call(account, name, examples[name]).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      refused.push(`${name}: ${error.code}`);
    });
  }
  return gone <= GONE_MAX ? refused : [...refused, `${gone} have no example`];
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
  const refused: Record<string, string[]> = {};
  for (const [title, order] of Object.entries(orders)) {
    refused[title] = await sendAll(await sandbox.anAccount(), order);
  }
  expect(refused).toEqual(Object.fromEntries(Object.keys(orders).map((title) => [title, []])));
}, 120_000);

it('an example of a topic is found without reading all topics', async () => {
  const ada = await sandbox.anAccount();
  const { forumId } = await sandbox.seeded(ada);
  const topics = Array.from({ length: 20_000 }, (_, i) => [`${i + 1_000}`, '{}']);
  await sandbox.redis.hset(stateKey(ada.workspaceId, topicsKey(forumId)), Object.fromEntries(topics));
  const sentBytes = async () =>
    Number(/total_net_output_bytes:(\d+)/.exec(await sandbox.redis.info('stats'))?.[1]);
  const before = await sentBytes();
  const names = ['messages.deleteTopicHistory'];
  expect(await examplesOf(ada, names)).toMatchObject({ 'messages.deleteTopicHistory': { topMsgId: 2 } });
  expect((await sentBytes()) - before).toBeLessThan(100_000);
});
