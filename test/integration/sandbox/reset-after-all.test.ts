import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

/** What stays of an account whatever it has done, and why. */
const STAYS = [
  // Ids and pts go on, so that clients find what is new.
  /^seq (story|qts):uU$/,
  // Files that were sent, ids of calls that were made, and what pictures and offers were ever shown.
  /^(files|sizes|random|documents|resale-looks)\b/,
  // Messages speak of calls that have ended, and copies of messages that the account alone deleted are those of others.
  /^(group-calls|copies) /,
  // One of few kinds, of which there are none now.
  /^gift-kinds:uU /,
  // A gift that was given away.
  /^(gifts|collectibles) /,
];

async function reset(account: SandboxAccount): Promise<void> {
  while (!(await sandbox.order(account, 'resetAccount')).done);
}

async function membersOf(key: string): Promise<string[]> {
  const type = await sandbox.redis.type(key);
  if (type === 'hash') return sandbox.redis.hkeys(key);
  return type === 'set' ? sandbox.redis.smembers(key) : sandbox.redis.zrange(key, '0', '-1');
}

/** How many of each kind of entry a workspace has, but for what others were sent by the account. */
async function countEntries(account: SandboxAccount): Promise<Record<string, number>> {
  const { contactId, friendId, botId } = await sandbox.seeded(account);
  const prefix = stateKey(account.workspaceId, '');
  const ofOthers = new RegExp(`\\b[ug]?(${contactId}|${friendId}|${botId})\\b`);
  const counts: Record<string, number> = {};
  for (const key of await sandbox.redis.keys(`${prefix}*`)) {
    for (const member of await membersOf(key)) {
      const entry = `${key.slice(prefix.length)} ${member}`;
      if (ofOthers.test(entry) || STAYS.some((one) => one.test(toKind(account, entry)))) continue;
      const kind = toKind(account, entry);
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}

// Slugs and hashes of links are drawn.
function toKind({ userId }: SandboxAccount, entry: string): string {
  // Ids that are drawn may have these digits in them.
  const named = entry.replace(/\d+/g, (id) => (id === String(userId) ? 'U' : '#'));
  return named.replace(/^(theme-slugs|sponsored-ids|invites:\S+) .*/, '$1');
}

it.each([
  ['a user', false, false],
  ['a user, backwards', false, true],
  ['a bot', true, false],
])('a reset leaves nothing of what %s has done by any method', async (_, bot, backwards) => {
  const ada = await sandbox.anAccount('Ada', { bot });
  await reset(ada);
  const fresh = await countEntries(ada);
  const names = [...sandbox.driver.methods.keys()].toSorted();
  let done = 0;
  for (const name of backwards ? names.toReversed() : names) {
    const { examples } = await sandbox.order(ada, 'getExamples', { methods: [name] });
    if (!examples[name]) continue;
    const { status } = await sandbox.answer(ada, name, examples[name]);
    if (status === 200) done += 1;
  }
  expect(done).toBeGreaterThan(names.length / 2);
  await reset(ada);
  expect(await countEntries(ada)).toEqual(fresh);
});
