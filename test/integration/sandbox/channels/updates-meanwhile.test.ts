import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { reactionsKey } from '../../../../workers/sandbox/model/reactions/keys.ts';
import { aChannel, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount, type StreamedUpdate } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let cleo: SandboxAccount;
let group: TestChannel;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await sandbox.call(ada, 'channels.updateUsername', { channel: group.channel, username: `all_${group.id}` });
});

async function post(message: string): Promise<number> {
  await sandbox.send(ada, group.peer, message);
  return (await sandbox.newest(ada, group.peer)).id;
}

const reacting = (msgId: number, emoticon: string) => ({
  peer: group.peer,
  msgId,
  reaction: [{ _: 'reactionEmoji', emoticon }],
});
const editing = (id: number) => ({ peer: group.peer, id, message: `Edited, @${bob.username}` });

/** The kinds of the updates that an account gets while Ada makes a call, and another call comes before its commit. */
async function toldOf(
  account: SandboxAccount,
  [method, params]: readonly [string, object],
  before: () => Promise<unknown>,
): Promise<string[]> {
  beforeCommitOf(sandbox, method, before);
  const { updates } = await sandbox.watch(ada, () => sandbox.call(ada, method, params));
  return updates.filter(({ accountId }) => accountId === account.id).map(({ update }) => update._);
}

it('who comes meanwhile hears of a change, and who goes does not', async () => {
  const calls: [string, (id: number) => readonly [string, object]][] = [
    ['updateEditChannelMessage', (id) => ['messages.editMessage', editing(id)]],
    ['updatePinnedChannelMessages', (id) => ['messages.updatePinnedMessage', { peer: group.peer, id }]],
    ['updateMessageReactions', (id) => ['messages.sendReaction', reacting(id, '👍')]],
    ['updateChannel', () => ['messages.toggleNoForwards', { peer: group.peer, enabled: true }]],
    ['updateChannel', () => ['channels.updateUsername', { channel: group.channel, username: '' }]],
  ];
  const id = await post('Hello');
  for (const [kind, toCall] of calls) {
    const [method] = toCall(id);
    const come = () => sandbox.call(cleo, 'channels.joinChannel', { channel: group.channel });
    const told = await toldOf(cleo, toCall(id), come);
    expect([method, told.slice(0, 3)]).toEqual([method, ['updateChannel', 'updateNewChannelMessage', kind]]);
    const go = () => sandbox.call(cleo, 'channels.leaveChannel', { channel: group.channel });
    const back: Record<string, object> = {
      'messages.editMessage': { ...editing(id), message: 'Edited again' },
      'messages.updatePinnedMessage': { peer: group.peer, id, unpin: true },
      'messages.sendReaction': reacting(id, '🔥'),
      'messages.toggleNoForwards': { peer: group.peer, enabled: false },
      'channels.updateUsername': { channel: group.channel, username: `all_${group.id}` },
    };
    expect([method, await toldOf(cleo, [method, back[method] ?? {}], go)]).toEqual([
      method,
      ['updateChannel'],
    ]);
  }
});

/** What the last of these updates shows to an account of its message. */
function lastShown(updates: StreamedUpdate[], { id }: SandboxAccount, kind: string) {
  return updates.filter(({ accountId, update }) => accountId === id && update._ === kind).at(-1)?.update;
}

it('the last update of a post shows the reactions, votes and readings that came before it', async () => {
  const id = await post(`Hello, @${bob.username}`);
  const act = (account: SandboxAccount, method: string, params: object) => () =>
    sandbox.call(account, method, params);
  beforeCommitOf(sandbox, 'messages.sendReaction', act(bob, 'messages.sendReaction', reacting(id, '🔥')));
  const both = await sandbox.watch(ada, act(ada, 'messages.sendReaction', reacting(id, '👍')));
  const { reactions } = lastShown(both.updates, bob, 'updateMessageReactions');
  expect(reactions.results).toMatchObject([{ count: 1 }, { count: 1 }]);
  for (const [method, params] of [
    ['messages.sendReaction', reacting(id, '👍')],
    ['messages.readMentions', { peer: group.peer }],
  ] as const) {
    beforeCommitOf(sandbox, 'messages.editMessage', act(bob, method, params));
    const change = { ...editing(id), message: `${method} @${bob.username}` };
    const edit = await sandbox.watch(ada, act(ada, 'messages.editMessage', change));
    const { message } = lastShown(edit.updates, bob, 'updateEditChannelMessage');
    expect(message.reactions.results).toMatchObject([{ count: 2, chosenOrder: 1 }]);
    expect(message.mediaUnread).toBe(method === 'messages.sendReaction' ? true : undefined);
  }
});

it('an edited poll shows the votes that came before, in a channel and in a group', async () => {
  const text = (plain: string) => ({ _: 'textWithEntities', text: plain, entities: [] });
  const option = Buffer.from('a').toString('base64');
  const answers = [{ _: 'pollAnswer', text: text('a'), option }];
  const media = {
    _: 'inputMediaPoll',
    poll: { _: 'poll', id: '0', hash: '0', question: text('Which?'), answers },
  };
  for (const peer of [group.peer, await sandbox.aGroup(ada, bob)]) {
    await sandbox.call(ada, 'messages.sendMedia', { peer, media, message: 'A poll' });
    const [own, theirs] = await Promise.all([ada, bob].map((account) => sandbox.newest(account, peer)));
    beforeCommitOf(sandbox, 'messages.editMessage', () =>
      sandbox.call(bob, 'messages.sendVote', { peer, msgId: theirs.id, options: [option] }),
    );
    const { updates } = await sandbox.watch(ada, () =>
      sandbox.call(ada, 'messages.editMessage', { peer, id: own.id, message: 'The poll' }),
    );
    const edits = updates.filter(({ update }) => /^updateEdit/.test(update._));
    expect(edits.map(({ update }) => update.message.media.results.totalVoters)).toEqual([1, 1]);
  }
});

it('many members who react, or take it back, at once wait for few of each other', async () => {
  const COUNT = 25;
  const id = await post('Hello');
  const members = await Promise.all(
    Array.from({ length: COUNT }, () => sandbox.anAccount('Member', { workspaceId: ada.workspaceId })),
  );
  for (const one of members) await sandbox.letIn(one, group.id);
  const conflictsOf = async (params: object) => {
    const before = sandbox.conflicts;
    await Promise.all(members.map((one) => sandbox.call(one, 'messages.sendReaction', params)));
    return sandbox.conflicts - before;
  };
  // Each waiting for each other would be 300.
  expect(await conflictsOf(reacting(id, '👍'))).toBeLessThan(2 * COUNT);
  expect((await sandbox.newest(ada, group.peer)).reactions.results).toMatchObject([{ count: COUNT }]);
  // The reactions are those of a while ago when they are taken back.
  const key = stateKey(ada.workspaceId, reactionsKey(`c${group.id}:${id}`));
  for (const [field, raw] of Object.entries(await sandbox.redis.hgetall(key)))
    await sandbox.redis.hset(key, field, JSON.stringify({ ...JSON.parse(raw), date: 1 }));
  expect(await conflictsOf({ ...reacting(id, ''), reaction: [] })).toBeLessThan(2 * COUNT);
  expect((await sandbox.newest(ada, group.peer)).reactions).toBeUndefined();
});

it('an edit does not wait for all members who react meanwhile', async () => {
  const id = await post('Hello');
  let reactions = 0;
  const react = async () => {
    reactions += 1;
    if (reactions < 3) beforeCommitOf(sandbox, 'messages.editMessage', react);
    await sandbox.call(bob, 'messages.sendReaction', reacting(id, reactions % 2 ? '👍' : '🔥'));
  };
  beforeCommitOf(sandbox, 'messages.editMessage', react);
  const before = sandbox.conflicts;
  await sandbox.call(ada, 'messages.editMessage', editing(id));
  expect([reactions, sandbox.conflicts - before]).toEqual([3, 2]);
});

it('a reader hears how far it has read with the pts of the commit', async () => {
  const id = await post('Hello');
  beforeCommitOf(sandbox, 'channels.readHistory', () =>
    sandbox.call(ada, 'messages.editMessage', editing(id)),
  );
  const { updates } = await sandbox.watch(ada, () =>
    sandbox.call(bob, 'channels.readHistory', { channel: group.channel, maxId: 0 }),
  );
  const edited = lastShown(updates, bob, 'updateEditChannelMessage');
  expect(lastShown(updates, bob, 'updateReadChannelInbox')).toMatchObject({ maxId: id, pts: edited.pts });
});
