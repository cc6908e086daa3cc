import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { draftDatesKey, draftsKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(bob, peerOf(ada), 'Hello');
});
afterAll(() => sandbox.close());

const save = (peer: object, message: string, more: object = {}) =>
  sandbox.watch(ada, () => sandbox.call(ada, 'messages.saveDraft', { peer, message, ...more }));
const all = async (account = ada) => (await sandbox.call(account, 'messages.getAllDrafts')).updates;
const dialog = async (peer: object) =>
  (await sandbox.call(ada, 'messages.getPeerDialogs', { peers: [{ _: 'inputDialogPeer', peer }] }))
    .dialogs[0];

it('keeps a draft with its dialog until it is sent, and tells the account', async () => {
  const entities = [{ _: 'messageEntityBold', offset: 0, length: 3 }];
  const { updates } = await save(peerOf(bob), 'Not yet ', { entities });
  const draft = { _: 'draftMessage', message: 'Not yet ', entities, date: expect.any(Number) };
  expect(updates).toMatchObject([
    { accountId: ada.id, update: { _: 'updateDraftMessage', peer: { userId: bob.userId }, draft } },
  ]);
  expect(await dialog(peerOf(bob))).toMatchObject({ draft });
  expect(await all()).toMatchObject([{ peer: { userId: bob.userId }, draft }]);
  expect(await all(bob)).toEqual([]);
  await sandbox.send(ada, peerOf(bob), 'Now', {});
  expect(await all()).toHaveLength(1);
  const sent = await sandbox.watch(ada, () => sandbox.send(ada, peerOf(bob), 'Now', { clearDraft: true }));
  expect(sent.updates.map(({ update }) => update)).toContainEqual(
    expect.objectContaining({
      _: 'updateDraftMessage',
      draft: expect.objectContaining({ _: 'draftMessageEmpty' }),
    }),
  );
  expect(await dialog(peerOf(bob))).not.toHaveProperty('draft');
});

it('is cleared also by a message that is sent later', async () => {
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  await save(peerOf(bob), 'Not yet');
  await sandbox.send(ada, peerOf(bob), 'Later', { clearDraft: true, scheduleDate });
  expect(await dialog(peerOf(bob))).not.toHaveProperty('draft');
});

it('keeps one for each topic of a forum, and forgets an empty one', async () => {
  const { forumId } = await sandbox.seeded(ada);
  const peer = channelOf(forumId);
  const made = await sandbox.call(ada, 'messages.createForumTopic', { peer, title: 'Topic', randomId: '17' });
  const topMsgId = made.updates[0].id;
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId: topMsgId, topMsgId };
  await save(peer, 'In the topic', { replyTo });
  await save(peer, 'In the forum');
  expect(await dialog(peer)).toMatchObject({ draft: { message: 'In the forum' } });
  const page = { offsetDate: 0, offsetId: 0, offsetTopic: 0, limit: 10 };
  const { topics } = await sandbox.call(ada, 'messages.getForumTopics', { peer, ...page });
  const topic = topics.find(({ id }: { id: number }) => id === topMsgId);
  expect(topic).toMatchObject({ draft: { message: 'In the topic' } });
  const general = topics.find(({ id }: { id: number }) => id === 1);
  expect(general).toMatchObject({ draft: { message: 'In the forum' } });
  const { updates } = await save(peer, '', { replyTo });
  expect(updates).toMatchObject([{ update: { topMsgId, draft: { _: 'draftMessageEmpty' } } }]);
  expect((await save(peer, '', { replyTo })).updates).toEqual([]);
  await save(peer, '');
  expect(await all()).toEqual([]);
});

it('keeps an answer in the topic of the message that it answers, until it is sent', async () => {
  const peer = channelOf((await sandbox.seeded(ada)).forumId);
  const made = await sandbox.call(ada, 'messages.createForumTopic', { peer, title: 'Topic', randomId: '18' });
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId: made.updates[0].id };
  const { updates } = await save(peer, 'An answer', { replyTo });
  expect(updates).toMatchObject([{ update: { topMsgId: replyTo.replyToMsgId } }]);
  await sandbox.send(ada, peer, 'An answer', { replyTo, clearDraft: true });
  expect(await all()).toEqual([]);
});

it('keeps an answer where it is when the answered message is gone, and removes it from there', async () => {
  const peer = channelOf((await sandbox.seeded(ada)).forumId);
  const made = await sandbox.call(ada, 'messages.createForumTopic', { peer, title: 'Topic', randomId: '19' });
  const topMsgId = made.updates[0].id;
  await sandbox.send(ada, peer, 'Soon gone', {
    replyTo: { _: 'inputReplyToMessage', replyToMsgId: topMsgId, topMsgId },
  });
  const { id } = await sandbox.newest(ada, peer);
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId: id };
  await save(peer, 'An answer', { replyTo });
  await sandbox.call(ada, 'channels.deleteMessages', { channel: { ...peer, _: 'inputChannel' }, id: [id] });
  await save(peer, 'Another answer', { replyTo });
  expect(await all()).toMatchObject([{ topMsgId, draft: { message: 'Another answer' } }]);
  await save(peer, '', { replyTo });
  expect(await all()).toEqual([]);
});

it('is removed from a topic that was deleted', async () => {
  const peer = channelOf((await sandbox.seeded(ada)).forumId);
  const made = await sandbox.call(ada, 'messages.createForumTopic', { peer, title: 'Topic', randomId: '20' });
  const topMsgId = made.updates[0].id;
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId: topMsgId };
  await save(peer, 'In the topic', { replyTo });
  await sandbox.call(ada, 'messages.deleteTopicHistory', { peer, topMsgId });
  expect(await all()).toMatchObject([{ topMsgId }]);
  const more = { replyTo: { ...replyTo, topMsgId } };
  expect(await sandbox.refusal(ada, 'messages.saveDraft', { peer, message: 'Text', ...more })).toBe(
    'MSG_ID_INVALID',
  );
  await save(peer, '', more);
  expect(await all()).toEqual([]);
});

it('is removed from a topic that only the answer to its first message names', async () => {
  const peer = channelOf((await sandbox.seeded(ada)).forumId);
  const made = await sandbox.call(ada, 'messages.createForumTopic', { peer, title: 'Topic', randomId: '21' });
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId: made.updates[0].id };
  await save(peer, 'In the topic', { replyTo });
  await save(peer, 'In general', { replyTo: { ...replyTo, replyToMsgId: 1 } });
  expect(await all()).toHaveLength(2);
  await save(peer, '', { replyTo });
  await save(peer, '', { replyTo: { ...replyTo, replyToMsgId: 1 } });
  expect(await all()).toEqual([]);
});

it('keeps one for each thread of a monoforum that the account administers, and shows it there', async () => {
  const { monoforumId } = await sandbox.seeded(ada);
  const monoforum = channelOf(monoforumId);
  await sandbox.send(bob, monoforum, 'A question');
  const { id } = await sandbox.newest(ada, monoforum);
  const inThread = { _: 'inputReplyToMonoForum', monoforumPeerId: peerOf(bob) };
  const answer = { _: 'inputReplyToMessage', replyToMsgId: id, monoforumPeerId: peerOf(bob) };
  const shown = async () => {
    const offset = { offsetDate: 0, offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' } };
    const params = { parentPeer: monoforum, ...offset, limit: 10, hash: '0' };
    return (await sandbox.call(ada, 'messages.getSavedDialogs', params)).dialogs[0].draft;
  };
  const bare = { _: 'inputReplyToMessage', replyToMsgId: id };
  const here = { ...bare, replyToPeerId: monoforum };
  for (const replyTo of [inThread, answer, bare, here, { ...bare, topMsgId: 1 }]) {
    const { updates } = await save(monoforum, 'An answer', { replyTo });
    expect(updates).toMatchObject([{ update: { savedPeerId: { userId: bob.userId } } }]);
    expect(await shown()).toMatchObject({ message: 'An answer' });
    expect((await sandbox.call(ada, 'messages.getAllDrafts')).users).toContainEqual(
      expect.objectContaining({ id: bob.userId }),
    );
    await sandbox.send(ada, monoforum, 'An answer', { replyTo, clearDraft: true });
    expect(await all()).toEqual([]);
    expect(await shown()).toBeUndefined();
  }
  const [toBob] = (await save(peerOf(bob), 'No thread here', { replyTo: inThread })).updates;
  expect(toBob?.update).not.toHaveProperty('savedPeerId');
  await save(peerOf(bob), '');
  expect(await all()).toEqual([]);
});

it('keeps one for a monoforum that the account only writes to, with its dialog', async () => {
  const monoforum = channelOf((await sandbox.seeded(bob)).monoforumId);
  await sandbox.send(ada, monoforum, 'A question');
  const { id } = await sandbox.newest(ada, monoforum);
  const inThread = { _: 'inputReplyToMonoForum', monoforumPeerId: { _: 'inputPeerSelf' } };
  const answer = { _: 'inputReplyToMessage', replyToMsgId: id };
  for (const replyTo of [inThread, answer, undefined]) {
    const more = replyTo ? { replyTo } : {};
    const { updates } = await save(monoforum, 'Another', more);
    expect(updates[0]?.update).not.toHaveProperty('savedPeerId');
    expect(await dialog(monoforum)).toMatchObject({ draft: { message: 'Another' } });
    await sandbox.send(ada, monoforum, 'Another', { ...more, clearDraft: true });
    expect(await all()).toEqual([]);
  }
});

it('comes with the users that it names', async () => {
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const userId = { _: 'inputUser', userId: eve.userId, accessHash: '0' };
  const entities = [{ _: 'inputMessageEntityMentionName', offset: 0, length: 3, userId }];
  await save(peerOf(bob), 'Eve', { entities });
  const named = expect.objectContaining({ id: eve.userId });
  expect((await sandbox.call(ada, 'messages.getAllDrafts')).users).toContainEqual(named);
  const peers = [{ _: 'inputDialogPeer', peer: peerOf(bob) }];
  expect((await sandbox.call(ada, 'messages.getPeerDialogs', { peers })).users).toContainEqual(named);
  await save(peerOf(bob), '');
  const forum = channelOf((await sandbox.seeded(ada)).forumId);
  await save(forum, 'Eve', { entities });
  const page = { offsetDate: 0, offsetId: 0, offsetTopic: 0, limit: 10 };
  const topics = await sandbox.call(ada, 'messages.getForumTopics', { peer: forum, ...page });
  expect(topics.users).toContainEqual(named);
  await save(forum, '');
});

it('refuses what is no draft', async () => {
  const refuse = (params: object) =>
    sandbox.refusal(ada, 'messages.saveDraft', { peer: peerOf(bob), message: 'Text', ...params });
  expect(await refuse({ message: 'x'.repeat(4_097) })).toBe('MESSAGE_TOO_LONG');
  const link = { _: 'inputMediaWebPage', url: 'x'.repeat(32_001) };
  expect(await refuse({ media: link })).toBe('MESSAGE_TOO_LONG');
  expect(await refuse({ media: { _: 'inputMediaEmpty' } })).toBe('MEDIA_INVALID');
  const entities = [{ _: 'messageEntityBold', offset: 0, length: 5 }];
  expect(await refuse({ entities })).toBe('ENTITY_BOUNDS_INVALID');
});

it('keeps the latest 100', async () => {
  await addDrafts(ada, 100);
  const { updates } = await save(peerOf(bob), 'One more');
  expect(updates).toMatchObject([
    { update: { peer: { userId: 1 }, draft: { _: 'draftMessageEmpty' } } },
    { update: { peer: { userId: bob.userId } } },
  ]);
  expect(await all()).toHaveLength(100);
});

it('forgets the draft for a group that the account leaves also if it has more than 100', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.call(ada, 'messages.saveDraft', { peer: group, message: 'Not yet' });
  await addDrafts(ada, 120);
  const self = { _: 'inputUserSelf' };
  await sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId: self });
  const key = (name: string) => stateKey(ada.workspaceId, name);
  expect(await sandbox.redis.zscore(key(draftDatesKey(ada.userId)), `g${group.chatId}`)).toBeNull();
  expect(await sandbox.redis.hexists(key(draftsKey(ada.userId)), `g${group.chatId}`)).toBe(0);
});

it('keeps no more than 100 once another is saved after many that were saved side by side', async () => {
  const ada = await sandbox.anAccount();
  await addDrafts(ada, 130);
  await sandbox.call(ada, 'messages.saveDraft', { peer: { _: 'inputPeerSelf' }, message: 'One more' });
  const key = (name: string) => stateKey(ada.workspaceId, name);
  expect(await sandbox.redis.zcard(key(draftDatesKey(ada.userId)))).toBe(100);
  expect(await sandbox.redis.hlen(key(draftsKey(ada.userId)))).toBe(100);
  expect((await all(ada))[0]).toMatchObject({ draft: { message: 'One more' } });
});

async function addDrafts({ workspaceId, userId }: SandboxAccount, count: number): Promise<void> {
  const key = (name: string) => stateKey(workspaceId, name);
  for (let n = 1; n <= count; n += 1) {
    const draft = { _: 'draftMessage', message: `Number ${n}`, date: n };
    await sandbox.redis.hset(key(draftsKey(userId)), `u${n}`, JSON.stringify(draft));
    await sandbox.redis.zadd(key(draftDatesKey(userId)), n, `u${n}`);
  }
}
