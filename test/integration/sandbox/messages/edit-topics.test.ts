import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { afterListIn, beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const aForum = () => aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
const open = async (by: SandboxAccount, peer: object, title = 'Topic') =>
  (await sandbox.call(by, 'messages.createForumTopic', { peer, title })).updates[0].id as number;
const answer = (topicId: number) => ({
  replyTo: { _: 'inputReplyToMessage', replyToMsgId: topicId, topMsgId: topicId },
});
const topicsOf = async (by: SandboxAccount, peer: object, topics: number[]) =>
  (await sandbox.call(by, 'messages.getForumTopicsByID', { peer, topics })).topics;

it('renames and closes a topic, says so in it, and lets none but its keepers write to it', async () => {
  const { peer } = await aForum();
  const topicId = await open(ada, peer);
  const edit = (change: object, by = ada) =>
    sandbox.call(by, 'messages.editForumTopic', { peer, topicId, ...change });
  const { updates } = await edit({ title: ' Tea ', iconEmojiId: '17' });
  const action = { _: 'messageActionTopicEdit', title: 'Tea', iconEmojiId: '17' };
  expect(updates).toMatchObject([
    { _: 'updateNewChannelMessage', message: { action, replyTo: { replyToMsgId: topicId } } },
  ]);
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({ message: { action } });
  await edit({ closed: true });
  expect(await topicsOf(bob, peer, [topicId])).toMatchObject([{ title: 'Tea', closed: true, my: false }]);
  const write = { peer, message: 'Hi', ...answer(topicId) };
  expect(await sandbox.refusal(bob, 'messages.sendMessage', write)).toBe('TOPIC_CLOSED');
  await sandbox.call(ada, 'messages.sendMessage', write);
  await edit({ closed: false });
  await sandbox.call(bob, 'messages.sendMessage', write);
  await edit({ iconEmojiId: '0' });
  const [topic] = await topicsOf(ada, peer, [topicId]);
  expect(topic).not.toHaveProperty('iconEmojiId');
});

it('lets a member change the topic that it has opened, and no other', async () => {
  const { peer } = await aForum();
  const [own, other] = [await open(bob, peer), await open(ada, peer)];
  const edit = (topicId: number, change: object) => ({ peer, topicId, ...change });
  await sandbox.call(bob, 'messages.editForumTopic', edit(own, { closed: true }));
  await sandbox.call(bob, 'messages.sendMessage', { peer, message: 'Still here', ...answer(own) });
  const refused = (params: object, by = bob) => sandbox.refusal(by, 'messages.editForumTopic', params);
  expect(await refused(edit(other, { title: 'Mine' }))).toBe('CHAT_ADMIN_REQUIRED');
  expect(await refused(edit(1, { hidden: true }))).toBe('CHAT_ADMIN_REQUIRED');
  expect(await refused(edit(own, { closed: true }))).toBe('TOPIC_NOT_MODIFIED');
  expect(await refused(edit(own, { title: ' ' }))).toBe('TOPIC_TITLE_EMPTY');
  expect(await refused(edit(own, { title: 'A', closed: true }))).toBe('TOPIC_CLOSE_SEPARATELY');
  expect(await refused(edit(1, { title: 'A', hidden: true }), ada)).toBe('TOPIC_HIDE_SEPARATELY');
  expect(await refused(edit(own, { hidden: true }), ada)).toBe('NOGENERAL_HIDE_FORBIDDEN');
  expect(await refused(edit(1, { iconEmojiId: '5' }), ada)).toBe('GENERAL_MODIFY_ICON_FORBIDDEN');
  expect(await refused(edit(9_999, { title: 'A' }))).toBe('TOPIC_ID_INVALID');
});

it('refuses a change of a new topic with an icon to what it is already', async () => {
  const { peer } = await aForum();
  const created = { peer, title: 'Tea', iconEmojiId: '17' };
  const { updates } = await sandbox.call(ada, 'messages.createForumTopic', created);
  const topicId = updates[0].id;
  for (const change of [{ title: 'Tea' }, { iconEmojiId: '17' }, { closed: false }, {}])
    expect([
      change,
      await sandbox.refusal(ada, 'messages.editForumTopic', { peer, topicId, ...change }),
    ]).toEqual([change, 'TOPIC_NOT_MODIFIED']);
  expect((await sandbox.newest(ada, peer)).id).toBe(topicId);
});

it('no longer says of a topic that its title is missing once it was given one', async () => {
  const { peer } = await aForum();
  const created = { peer, title: 'Chat', titleMissing: true };
  const topicId = (await sandbox.call(ada, 'messages.createForumTopic', created)).updates[0].id;
  const edit = (change: object) => sandbox.call(ada, 'messages.editForumTopic', { peer, topicId, ...change });
  await edit({ iconEmojiId: '17' });
  expect(await topicsOf(bob, peer, [topicId])).toMatchObject([{ titleMissing: true, iconEmojiId: '17' }]);
  await edit({ title: 'Chat' });
  expect(await topicsOf(bob, peer, [topicId])).toMatchObject([{ title: 'Chat', titleMissing: false }]);
});

it('closes the general topic when it is hidden, and shows it when it is opened', async () => {
  const { channel, peer } = await aForum();
  const edit = (change: object) =>
    sandbox.call(ada, 'channels.editForumTopic', { channel, topicId: 1, ...change });
  await edit({ hidden: true });
  expect(await topicsOf(bob, peer, [1])).toMatchObject([{ title: 'General', hidden: true, closed: true }]);
  expect(await sandbox.refusal(bob, 'messages.sendMessage', { peer, message: 'Hi' })).toBe('TOPIC_CLOSED');
  await edit({ hidden: false });
  expect(await topicsOf(bob, peer, [1])).toMatchObject([{ hidden: false, closed: true }]);
  await edit({ hidden: true });
  await edit({ closed: false });
  expect(await topicsOf(bob, peer, [1])).toMatchObject([{ hidden: false, closed: false }]);
  const plain = await aChannel(sandbox, ada, { megagroup: true });
  const noForum = { channel: plain.channel, topicId: 1, title: 'A' };
  expect(await sandbox.refusal(ada, 'channels.editForumTopic', noForum)).toBe('CHANNEL_FORUM_MISSING');
});

it('pins up to five topics and orders them', async () => {
  const { peer } = await aForum();
  const ids: number[] = [];
  for (let i = 0; i < 6; i += 1) ids.push(await open(ada, peer));
  const pin = (topicId: number, pinned = true) => ({ peer, topicId, pinned });
  for (const id of ids.slice(0, 5)) await sandbox.call(ada, 'messages.updatePinnedForumTopic', pin(id));
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({
    _: 'updatePinnedForumTopic',
    pinned: true,
    topicId: ids[4],
  });
  const refused = (params: object, by = ada) =>
    sandbox.refusal(by, 'messages.updatePinnedForumTopic', params);
  expect(await refused(pin(ids[5] as number))).toBe('PINNED_DIALOGS_TOO_MUCH');
  expect(await refused(pin(ids[0] as number))).toBe('TOPIC_NOT_MODIFIED');
  expect(await refused(pin(9_999))).toBe('TOPIC_ID_INVALID');
  expect(await refused(pin(1), bob)).toBe('CHAT_ADMIN_REQUIRED');
  await sandbox.call(ada, 'messages.updatePinnedForumTopic', pin(ids[4] as number, false));
  const reorder = (order: (number | undefined)[], force: boolean) =>
    sandbox.call(ada, 'messages.reorderPinnedForumTopics', { peer, order, force });
  const [first, second, third, fourth] = ids;
  const { updates } = await reorder([second, first], false);
  expect(updates).toMatchObject([{ order: [second, first, fourth, third] }]);
  await reorder([third], true);
  const pinned = (await topicsOf(bob, peer, ids)).filter((one: { pinned?: boolean }) => one.pinned);
  expect(pinned).toMatchObject([{ id: third }]);
  const unpinned = { peer, order: [first] };
  expect(await sandbox.refusal(ada, 'messages.reorderPinnedForumTopics', unpinned)).toBe('TOPIC_ID_INVALID');
});

it('deletes what was written in a topic, and with the last of it the topic', async () => {
  const { peer } = await aForum();
  const topicId = await open(bob, peer);
  await sandbox.call(ada, 'messages.updatePinnedForumTopic', { peer, topicId, pinned: true });
  await sandbox.call(bob, 'messages.sendMessage', { peer, message: 'Mine', ...answer(topicId) });
  await sandbox.call(ada, 'messages.sendMessage', { peer, message: 'Yours', ...answer(topicId) });
  const params = { peer, topMsgId: topicId };
  expect(await sandbox.refusal(bob, 'messages.deleteTopicHistory', params)).toBe('CHAT_ADMIN_REQUIRED');
  expect(await sandbox.call(ada, 'messages.deleteTopicHistory', params)).toMatchObject({
    ptsCount: 3,
    offset: 0,
  });
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({ _: 'updateDeleteChannelMessages' });
  expect(await topicsOf(ada, peer, [topicId])).toEqual([{ _: 'forumTopicDeleted', id: topicId }]);
  expect(await sandbox.refusal(ada, 'messages.deleteTopicHistory', params)).toBe('TOPIC_ID_INVALID');
  const own = await open(bob, peer);
  await sandbox.call(bob, 'messages.deleteTopicHistory', { peer, topMsgId: own });
  const page = { offsetDate: 0, offsetId: 0, offsetTopic: 0, limit: 100 };
  expect((await sandbox.call(bob, 'messages.getForumTopics', { peer, ...page })).topics).toMatchObject([
    { id: 1, pinned: false },
  ]);
});

it('deletes with a topic what is written in it meanwhile', async () => {
  const { peer } = await aForum();
  const topicId = await open(ada, peer);
  afterListIn(sandbox, 'messages.deleteTopicHistory', () =>
    sandbox.call(bob, 'messages.sendMessage', { peer, message: 'Meanwhile', ...answer(topicId) }),
  );
  const deleted = await sandbox.call(ada, 'messages.deleteTopicHistory', { peer, topMsgId: topicId });
  expect(deleted).toMatchObject({ ptsCount: 2, offset: 0 });
  expect((await sandbox.history(ada, peer)).map(({ message }) => message)).not.toContain('Meanwhile');
});

it('refuses to delete a topic in which somebody else writes meanwhile', async () => {
  const { peer } = await aForum();
  const own = await open(bob, peer);
  afterListIn(sandbox, 'messages.deleteTopicHistory', () =>
    sandbox.call(ada, 'messages.sendMessage', { peer, message: 'Meanwhile', ...answer(own) }),
  );
  const params = { peer, topMsgId: own };
  expect(await sandbox.refusal(bob, 'messages.deleteTopicHistory', params)).toBe('CHAT_ADMIN_REQUIRED');
});

it('takes nothing that its keepers write to a topic that is deleted meanwhile', async () => {
  const { peer } = await aForum();
  const topicId = await open(ada, peer);
  beforeCommitOf(sandbox, 'messages.sendMessage', () =>
    sandbox.call(ada, 'messages.deleteTopicHistory', { peer, topMsgId: topicId }),
  );
  const write = { peer, message: 'Meanwhile', ...answer(topicId) };
  expect(await sandbox.refusal(ada, 'messages.sendMessage', write)).toBe('TOPIC_DELETED');
});

it('pins no topic that is deleted meanwhile', async () => {
  const { peer } = await aForum();
  const topicId = await open(ada, peer);
  beforeCommitOf(sandbox, 'messages.updatePinnedForumTopic', () =>
    sandbox.call(ada, 'messages.deleteTopicHistory', { peer, topMsgId: topicId }),
  );
  const pin = { peer, topicId, pinned: true };
  expect(await sandbox.refusal(ada, 'messages.updatePinnedForumTopic', pin)).toBe('TOPIC_ID_INVALID');
});

it('deletes a long topic in steps', async () => {
  const { peer } = await aForum();
  const topicId = await open(ada, peer);
  for (let i = 0; i < 60; i += 1)
    await sandbox.call(ada, 'messages.sendMessage', { peer, message: `${i}`, ...answer(topicId) });
  const params = { peer, topMsgId: topicId };
  let left = 1;
  let steps = 0;
  for (; left > 0 && steps < 10; steps += 1)
    left = (await sandbox.call(ada, 'messages.deleteTopicHistory', params)).offset;
  expect(steps).toBeGreaterThan(1);
  expect(await topicsOf(ada, peer, [topicId])).toEqual([{ _: 'forumTopicDeleted', id: topicId }]);
});

it('deletes a topic with many reactions in steps, and nothing of it stays', async () => {
  const { peer } = await aForum();
  const topicId = await open(ada, peer);
  for (let i = 0; i < 48; i += 1) {
    const { updates } = await sandbox.send(ada, peer, `${i}`, answer(topicId));
    const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
    await sandbox.call(bob, 'messages.sendReaction', { peer, msgId: updates[0].id, reaction });
  }
  const params = { peer, topMsgId: topicId };
  for (let left = 1; left > 0; )
    left = (await sandbox.call(ada, 'messages.deleteTopicHistory', params)).offset;
  expect(await topicsOf(ada, peer, [topicId])).toEqual([{ _: 'forumTopicDeleted', id: topicId }]);
  expect((await sandbox.history(ada, peer)).map(({ action }) => action?._)).toEqual([
    'messageActionChatAddUser',
    'messageActionChannelCreate',
  ]);
});

it('does not end a topic when not all of it fits a commit because somebody reacts meanwhile', async () => {
  const { peer } = await aChannel(sandbox, ada, { megagroup: true, forum: true });
  const topicId = await open(ada, peer);
  await sandbox.call(ada, 'messages.updatePinnedForumTopic', { peer, topicId, pinned: true });
  // With the first one, as many as fit a commit without reactions.
  for (let i = 0; i < 58; i += 1) await sandbox.send(ada, peer, `${i}`, answer(topicId));
  const { id: msgId } = await sandbox.newest(ada, peer);
  const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
  afterListIn(
    sandbox,
    'messages.deleteTopicHistory',
    () => sandbox.call(ada, 'messages.sendReaction', { peer, msgId, reaction }),
    'smismember',
  );
  const { offset } = await sandbox.call(ada, 'messages.deleteTopicHistory', { peer, topMsgId: topicId });
  expect(offset).toBe(1);
  expect(await topicsOf(ada, peer, [topicId])).toMatchObject([{ _: 'forumTopic', id: topicId }]);
});
