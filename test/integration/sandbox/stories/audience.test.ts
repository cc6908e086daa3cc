import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey, updatesKey } from '../../../../src/redis/keys.ts';
import { CHATS, membersKey } from '../../../../workers/sandbox/model/chats/keys.ts';
import { USERS } from '../../../../workers/sandbox/model/people/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { countReads } from '../../../support/sandbox/count-reads.ts';
import { FILLED_FROM } from '../../../support/sandbox/large-account.ts';
import { aRandomId, peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

const GROUPS = 100;
const MEMBERS = 90;
const FIRST_GROUP = 1_500_000_000;
const TOLD_MAX = 200;
const KIB = 1_024;

let sandbox: Sandbox;
let host: SandboxAccount;
let guest: SandboxAccount;
/** Members of the groups that rules name; the host knows none of them. */
const ids = Array.from({ length: GROUPS * MEMBERS }, (_, i) => FILLED_FROM + i);
const groups = Array.from({ length: GROUPS }, (_, n) => FIRST_GROUP + n);

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [host, guest] = await sandbox.twoAccounts();
  const raw = (await sandbox.redis.hget(keyOf(USERS), String(guest.userId))) as string;
  const userOfId = (id: number) =>
    JSON.stringify({ ...JSON.parse(raw), id, accountId: null, username: null });
  for (const [n, chatId] of groups.entries()) {
    const some = ids.slice(n * MEMBERS, (n + 1) * MEMBERS);
    await sandbox.redis.hset(keyOf(USERS), Object.fromEntries(some.map((id) => [id, userOfId(id)])));
    await putGroup(chatId, [host.userId, ...some.slice(1)]);
  }
});
afterAll(() => sandbox.close());

const keyOf = (name: string) => stateKey(host.workspaceId, name);

async function putGroup(id: number, userIds: readonly number[], more: object = {}): Promise<void> {
  const members = userIds.map((userId) => ({ userId, inviterId: host.userId, date: 1 }));
  const group = {
    id,
    title: 'Group',
    creatorId: host.userId,
    date: 1,
    version: 1,
    noforwards: false,
    members,
  };
  await sandbox.redis.hset(keyOf(CHATS), String(id), JSON.stringify({ ...group, members, ...more }));
}

const rule = (kind: string, chats: number[]) => ({ _: `inputPrivacyValue${kind}ChatParticipants`, chats });
const ALL = { _: 'inputPrivacyValueAllowAll' };
const ONLY_GUEST = () => ({ _: 'inputPrivacyValueAllowUsers', users: [userOf(guest)] });

/** Starts a live story; gives its call, and who is told of it. */
async function start(...privacyRules: object[]) {
  const params = { peer: { _: 'inputPeerEmpty' }, privacyRules, randomId: aRandomId() };
  const [last] = await sandbox.redis.xrevrange(updatesKey(host.workspaceId), '+', '-', 'COUNT', 1);
  await sandbox.call(host, 'stories.startLive', params);
  const updates = await sandbox.updates(host, Number(last?.[0].split('-')[0] ?? 0));
  const stories = updates.filter(({ update }) => update.story?._ === 'storyItem');
  const told = stories.map(
    ({ userId, accountId }) => userId ?? (accountId === host.id ? host : guest).userId,
  );
  const own = await sandbox.call(host, 'stories.getPeerStories', { peer: { _: 'inputPeerSelf' } });
  return { call: own.stories.stories[0].media.call, told };
}

const join = (account: SandboxAccount, call: object) =>
  sandbox.call(account, 'phone.joinGroupCall', {
    ...{ call, joinAs: { _: 'inputPeerSelf' } },
    params: { _: 'dataJSON', data: JSON.stringify({ ssrc: account.userId }) },
  });

it('is told, however many members the groups have that the rules name', async () => {
  const { call, told } = await start(ONLY_GUEST(), rule('Allow', groups));
  expect(told).toContain(guest.userId);
  expect(told.filter((id) => ids.includes(id))).toHaveLength(TOLD_MAX - 1);
  for (const account of [host, guest]) await join(account, call);
  const params = { call, participant: peerOf(guest), muted: false };
  const { characters, fields } = await countReads(sandbox, 'phone.editGroupCallParticipant', () =>
    sandbox.call(host, 'phone.editGroupCallParticipant', params),
  );
  // The user, the block and the update of each of the few hundred who might be told.
  expect(fields.get(keyOf(USERS))).toBeLessThan(1_000);
  const stored = (await sandbox.redis.hmget(keyOf(CHATS), ...groups.map(String))).join('').length;
  expect(characters).toBeGreaterThan(stored);
  expect(characters).toBeLessThan(2 * stored);
});

it('has nobody who is in a group that the rules leave out', async () => {
  const [first, second] = [groups[0] as number, groups[1] as number];
  const { id } = await aChannel(sandbox, host, { megagroup: true });
  const banned = ids.slice(1, 1 + MEMBERS / 2);
  const members = Object.fromEntries(banned.map((userId) => [userId, '{"role":"member","date":1}']));
  await sandbox.redis.hset(keyOf(membersKey(id)), members);
  const { told } = await start(rule('Allow', [first, second]), rule('Disallow', [id]));
  const seen = told.filter((one) => ids.includes(one));
  expect(seen).toEqual([...ids.slice(1 + MEMBERS / 2, MEMBERS), ...ids.slice(MEMBERS + 1, 2 * MEMBERS)]);
});

it('has nobody who may be in a group that is left out and was not looked at', async () => {
  const long = 'x'.repeat(12 * KIB);
  const large = Array.from({ length: 200 }, (_, n) => FIRST_GROUP + GROUPS + n);
  for (const id of large) await putGroup(id, [host.userId], { about: long });
  const rules = [rule('Allow', large.slice(0, 100)), rule('Disallow', large.slice(100)), ALL];
  await sandbox.send(host, peerOf(guest), 'Hello');
  expect((await start(...rules)).told).toEqual([host.userId]);
  expect((await start(...rules, ONLY_GUEST())).told).toEqual([host.userId, guest.userId]);
  expect((await start(rule('Allow', groups.slice(0, 1)), ALL)).told).toContain(guest.userId);
});
