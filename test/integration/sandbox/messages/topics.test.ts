import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});

afterAll(() => sandbox.close());

const WINDOW = { offsetId: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0 };
const PAGE = { offsetDate: 0, offsetId: 0, offsetTopic: 0, limit: 100 };
const call = (account: SandboxAccount, method: string, params: object = {}) =>
  sandbox.call(account, method, params);

async function refusal(account: SandboxAccount, method: string, params: object) {
  const { status, body } = await sandbox.answer(account, method, params);
  return [status, body.code];
}

let supergroups = 0;

async function aSupergroup(settings: object = { megagroup: true }) {
  supergroups += 1;
  const { chats } = await call(ada, 'channels.createChannel', { title: 'Group', about: '', ...settings });
  const channel = { channelId: chats[0].id, accessHash: chats[0].accessHash };
  const input = { _: 'inputChannel', ...channel };
  await call(ada, 'channels.updateUsername', {
    channel: input,
    username: `group_${ada.userId}_${supergroups}`,
  });
  await call(bob, 'channels.joinChannel', { channel: input });
  return { input, peer: { _: 'inputPeerChannel', ...channel } };
}

async function aTopic(peer: object, title: string): Promise<number> {
  const { updates } = await call(ada, 'messages.createForumTopic', { peer, title, iconColor: 0xffd67e });
  return updates[0].id;
}

const send = (account: SandboxAccount, peer: object, topMsgId: number, message: string) =>
  call(account, 'messages.sendMessage', {
    peer,
    message,
    replyTo: { _: 'inputReplyToMessage', replyToMsgId: topMsgId, topMsgId },
  });

it('lists the furnished topics', async () => {
  const { dialogs, chats } = await call(ada, 'messages.getDialogs', {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: 100,
    hash: '0',
  });
  expect(dialogs.length).toBeGreaterThan(0);
  const { id: channelId } = chats.find(({ forum }: { forum?: boolean }) => forum);
  const peer = { _: 'inputPeerChannel', channelId, accessHash: '0' };
  const listed = await call(ada, 'messages.getForumTopics', { peer, ...PAGE });
  expect(listed.topics.map(({ title }: { title: string }) => title).sort()).toEqual(['General', 'Topic']);
  expect(listed.users).toMatchObject([{ id: ada.userId, self: true }]);
  expect(listed.chats).toMatchObject([{ id: channelId, forum: true }]);
});

it('turns a supergroup into a forum and back', async () => {
  const { input, peer } = await aSupergroup();
  const toggle = (enabled: boolean) => ({ channel: input, enabled, tabs: false });
  expect(await refusal(ada, 'messages.getForumTopics', { peer, ...PAGE })).toEqual([
    400,
    'CHANNEL_FORUM_MISSING',
  ]);
  const topic = { peer, title: 'Topic', randomId: '5' };
  expect((await refusal(ada, 'messages.createForumTopic', topic))[1]).toBe('CHANNEL_FORUM_MISSING');
  expect((await call(ada, 'channels.toggleForum', toggle(true))).chats[0]).toMatchObject({ forum: true });
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({ _: 'updateChannel' });
  expect(await refusal(ada, 'channels.toggleForum', toggle(true))).toEqual([400, 'CHAT_NOT_MODIFIED']);
  expect(await refusal(bob, 'channels.toggleForum', toggle(false))).toEqual([400, 'CHAT_ADMIN_REQUIRED']);
  const broadcast = { ...toggle(true), channel: { _: 'inputChannelEmpty' } };
  expect(await refusal(ada, 'channels.toggleForum', broadcast)).toEqual([400, 'CHANNEL_INVALID']);
  const withTabs = { ...toggle(true), tabs: true };
  expect((await call(ada, 'channels.toggleForum', withTabs)).chats[0]).toMatchObject({ forumTabs: true });
  expect(await refusal(ada, 'channels.toggleForum', withTabs)).toEqual([400, 'CHAT_NOT_MODIFIED']);
  expect((await call(bob, 'channels.getChannels', { id: [input] })).chats[0]).toMatchObject({
    forumTabs: true,
  });
  const off = { ...withTabs, enabled: false };
  expect((await call(ada, 'channels.toggleForum', off)).chats[0]).toMatchObject({
    forum: false,
    forumTabs: false,
  });
});

it('opens topics, counts what is unread in each, and reads them one by one', async () => {
  const { peer } = await aSupergroup({ forum: true });
  const [tea, coffee] = [await aTopic(peer, 'Tea'), await aTopic(peer, 'Coffee')];
  await send(ada, peer, tea, 'Green');
  await send(ada, peer, coffee, `Black, @${bob.username}?`);
  await send(ada, peer, coffee, 'White');
  const { topics, count, messages } = await call(bob, 'messages.getForumTopics', { peer, ...PAGE });
  expect(count).toBe(3);
  const byTitle = new Map(topics.map((topic: { title: string }) => [topic.title, topic]));
  expect(byTitle.get('Coffee')).toMatchObject({ id: coffee, unreadCount: 3, unreadMentionsCount: 1 });
  expect(byTitle.get('Tea')).toMatchObject({ id: tea, unreadCount: 2, iconColor: 0xffd67e, my: false });
  const tops = messages.filter(({ message }: { message?: string }) => message === 'White');
  expect(tops).toMatchObject([{ replyTo: { forumTopic: true, replyToMsgId: coffee } }]);
  const read = { peer, msgId: coffee, readMaxId: 0 };
  expect(await call(bob, 'messages.readDiscussion', read)).toEqual({ _: 'boolTrue' });
  const [again] = (await call(bob, 'messages.getForumTopics', { peer, ...PAGE, q: 'cof' })).topics;
  expect(again).toMatchObject({ unreadCount: 0, unreadMentionsCount: 1 });
  const mentions = { peer, topMsgId: coffee };
  const unread = async () =>
    (await call(bob, 'messages.getUnreadMentions', { ...mentions, ...WINDOW })).messages.length;
  await call(bob, 'messages.readMentions', { peer, topMsgId: tea });
  expect(await unread()).toBe(1);
  await call(bob, 'messages.readMentions', mentions);
  expect(await unread()).toBe(0);
});

it('says how far others have read what one has written in a topic', async () => {
  const { peer, input } = await aSupergroup({ megagroup: true, forum: true });
  const [topic, other] = [await aTopic(peer, 'Read'), await aTopic(peer, 'Not read')];
  const ids = [];
  for (const text of ['One', 'Two']) ids.push((await send(ada, peer, topic, text)).updates[0].id);
  await send(ada, peer, other, 'Three');
  const readBy = (account: SandboxAccount, msgId: number, readMaxId: number) =>
    sandbox.watch(ada, () => call(account, 'messages.readDiscussion', { peer, msgId, readMaxId }));
  const seen = async (account: SandboxAccount) => {
    const { topics } = await call(account, 'messages.getForumTopicsByID', { peer, topics: [topic, other] });
    return topics.map(({ readOutboxMaxId }: { readOutboxMaxId: number }) => readOutboxMaxId);
  };
  expect(await seen(ada)).toEqual([0, 0]);
  for (const id of ids) {
    const { updates } = await readBy(bob, topic, id);
    expect(updates.filter(({ accountId }) => accountId === ada.id)).toMatchObject([
      { update: { _: 'updateReadChannelDiscussionOutbox', topMsgId: topic, readMaxId: id } },
    ]);
    expect(await seen(ada)).toEqual([id, 0]);
  }
  expect(await seen(bob)).toEqual([0, 0]);
  await send(bob, peer, topic, 'Four');
  await call(bob, 'channels.leaveChannel', { channel: input });
  const { updates } = await readBy(ada, topic, 0);
  expect(updates.map(({ accountId }) => accountId)).toEqual([ada.id]);
  await call(bob, 'channels.joinChannel', { channel: input });
  expect(await seen(bob)).toEqual([0, 0]);
});

it('pages through topics', async () => {
  const { peer } = await aSupergroup({ forum: true });
  for (const title of ['one', 'two', 'three']) await aTopic(peer, title);
  const all = (await call(ada, 'messages.getForumTopics', { peer, ...PAGE })).topics;
  const seen: number[] = [];
  let page = { ...PAGE, limit: 2 };
  for (let round = 0; round < 5; round += 1) {
    const { topics, messages } = await call(ada, 'messages.getForumTopics', { peer, ...page });
    if (topics.length === 0) break;
    seen.push(...topics.map(({ id }: { id: number }) => id));
    const last = topics.at(-1);
    const top = messages.find(({ id }: { id: number }) => id === last.topMessage);
    page = { ...page, offsetDate: top.date, offsetId: top.id, offsetTopic: last.id };
  }
  expect(seen).toEqual(all.map(({ id }: { id: number }) => id));
});

it('ends a list of topics with the general topic while that is empty', async () => {
  const { input, peer } = await aSupergroup();
  await call(ada, 'channels.toggleForum', { channel: input, enabled: true, tabs: false });
  const topicId = await aTopic(peer, 'one');
  const idsOf = async (page: object) => {
    const { topics, count, messages } = await call(ada, 'messages.getForumTopics', {
      peer,
      ...PAGE,
      ...page,
    });
    expect(count).toBe(2);
    // What was there before the topics is in it.
    const general = topics.find(({ id }: { id: number }) => id === 1);
    if (general) {
      expect(general.topMessage).toBe(topicId - 1);
      expect(messages).toContainEqual(expect.objectContaining({ id: general.topMessage }));
    }
    return topics.map(({ id }: { id: number }) => id);
  };
  expect(await idsOf({})).toEqual([topicId, 1]);
  expect(await idsOf({ offsetTopic: topicId, limit: 1 })).toEqual([1]);
  expect(await idsOf({ offsetTopic: 1 })).toEqual([]);
});

it('shows in the general topic the newest message from before the topics', async () => {
  const { input, peer } = await aSupergroup();
  for (const message of ['one', 'two', 'three']) await call(ada, 'messages.sendMessage', { peer, message });
  const { id } = await sandbox.newest(ada, peer);
  await call(ada, 'channels.toggleForum', { channel: input, enabled: true, tabs: false });
  const shown = async () => {
    const { topics } = await call(ada, 'messages.getForumTopicsByID', { peer, topics: [1] });
    return topics[0].topMessage;
  };
  expect(await shown()).toBe(id);
  const topicId = await aTopic(peer, 'Topic');
  for (const message of ['four', 'five', 'six']) await send(ada, peer, topicId, message);
  expect(await shown()).toBe(id);
  await call(ada, 'channels.deleteMessages', { channel: input, id: [id] });
  expect(await shown()).toBe(id - 1);
});

it('forwards into a topic', async () => {
  const { peer } = await aSupergroup({ forum: true });
  const topic = await aTopic(peer, 'Saved');
  const params = {
    fromPeer: { _: 'inputPeerSelf' },
    id: [1],
    toPeer: peer,
    randomId: ['31'],
    topMsgId: topic,
  };
  await call(ada, 'messages.forwardMessages', params);
  const { messages } = await call(ada, 'messages.search', {
    peer,
    q: '',
    topMsgId: topic,
    filter: { _: 'inputMessagesFilterEmpty' },
    minDate: 0,
    maxDate: 0,
    hash: '0',
    ...WINDOW,
  });
  expect(messages[0]).toMatchObject({ fwdFrom: { fromId: { userId: ada.userId } } });
  const gone = { ...params, randomId: ['32'], topMsgId: 9_999 };
  expect(await refusal(ada, 'messages.forwardMessages', gone)).toEqual([400, 'TOPIC_DELETED']);
});

it('puts an answer to nothing, or to what is gone, into the topic that it names', async () => {
  const { peer } = await aSupergroup({ forum: true });
  const topic = await aTopic(peer, 'Tea');
  const answer = async (replyToMsgId: number, topMsgId: number) => {
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId, topMsgId };
    await sandbox.send(ada, peer, 'Answer', { replyTo });
    return (await sandbox.newest(bob, peer)).replyTo;
  };
  for (const nothing of [0, 9_999])
    expect(await answer(nothing, topic)).toMatchObject({ forumTopic: true, replyToMsgId: topic });
  expect(await answer(0, 1)).toBeUndefined();
  const { topics } = await call(bob, 'messages.getForumTopics', { peer, ...PAGE });
  const byId = new Map(topics.map((one: { id: number }) => [one.id, one]));
  expect(byId.get(topic)).toMatchObject({ unreadCount: 3 });
  const nowhere = { _: 'inputReplyToMessage', replyToMsgId: 0, topMsgId: 9_999 };
  const params = { peer, message: 'Answer', randomId: '72', replyTo: nowhere };
  expect(await refusal(ada, 'messages.sendMessage', params)).toEqual([400, 'TOPIC_DELETED']);
  const elsewhere = { replyToMsgId: 1, replyToPeerId: { _: 'inputPeerSelf' } };
  const quoting = { ...params, replyTo: { ...nowhere, ...elsewhere } };
  expect(await refusal(ada, 'messages.sendMessage', quoting)).toEqual([400, 'TOPIC_DELETED']);
  const outside = { ...params, peer: { _: 'inputPeerSelf' } };
  expect(await refusal(ada, 'messages.sendMessage', outside)).toEqual([400, 'REPLY_MESSAGE_ID_INVALID']);
});

it('finds nothing unread in a topic that does not exist', async () => {
  const { peer } = await aSupergroup({ forum: true });
  for (const [method, more] of [
    ['getUnreadMentions', WINDOW],
    ['getUnreadPollVotes', WINDOW],
    ['readMentions', {}],
    ['readPollVotes', {}],
  ] as const) {
    await call(ada, `messages.${method}`, { peer, topMsgId: 1, ...more });
    const params = { peer, topMsgId: 9_999, ...more };
    expect([method, await refusal(ada, `messages.${method}`, params)]).toEqual([
      method,
      [400, 'MSG_ID_INVALID'],
    ]);
  }
});

it('answers a message of another topic, and shows whose it was', async () => {
  const { peer } = await aSupergroup({ forum: true });
  const [tea, coffee] = [await aTopic(peer, 'Tea'), await aTopic(peer, 'Coffee')];
  await send(bob, peer, tea, 'Green?');
  const { id: replyToMsgId } = await sandbox.newest(bob, peer);
  const answer = async (topMsgId: number) => {
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId, topMsgId, replyToPeerId: peer };
    await sandbox.send(ada, peer, 'Black', { replyTo });
    return sandbox.newest(bob, peer);
  };
  const header = {
    replyToMsgId,
    replyToPeerId: { _: 'peerChannel', channelId: peer.channelId },
    replyFrom: { fromId: { _: 'peerUser', userId: bob.userId } },
  };
  const { replyTo, mentioned } = await answer(coffee);
  expect(replyTo).toMatchObject({ ...header, forumTopic: true, replyToTopId: coffee });
  expect(mentioned).toBe(true);
  expect((await answer(1)).replyTo).toMatchObject({ ...header, forumTopic: false });
  const { replyTo: within } = await answer(tea);
  expect(within).toMatchObject({ replyToMsgId, replyToTopId: tea });
  expect(within.replyToPeerId).toBeUndefined();
});

it('refuses topics without a title, sent twice, or outside of channels', async () => {
  const { peer } = await aSupergroup({ forum: true });
  const refused = (params: object) =>
    refusal(ada, 'messages.createForumTopic', { peer, title: 'Topic', randomId: '71', ...params });
  expect(await refused({ title: ' ' })).toEqual([400, 'TOPIC_TITLE_EMPTY']);
  expect(await refused({ peer: { _: 'inputPeerSelf' } })).toEqual([400, 'PEER_ID_INVALID']);
  expect(await refused({ peer: { ...peer, channelId: 5 } })).toEqual([400, 'CHANNEL_INVALID']);
  await call(ada, 'messages.createForumTopic', { peer, title: 'Topic', randomId: '71' });
  expect(await refused({})).toEqual([409, 'RANDOM_ID_DUPLICATE']);
});

it('says where a thread begins and how far it was read', async () => {
  const { peer } = await aSupergroup({ megagroup: true, forum: true });
  const topic = await aTopic(peer, 'News');
  await send(ada, peer, topic, 'Unread');
  const { messages } = await call(bob, 'messages.getHistory', { peer, ...WINDOW, offsetDate: 0, hash: '0' });
  const [{ id: msgId }] = messages;
  const found = await call(bob, 'messages.getDiscussionMessage', { peer, msgId });
  expect(found).toMatchObject({ messages: [{ id: topic }], maxId: msgId, unreadCount: 2 });
  const general = await call(ada, 'messages.getDiscussionMessage', { peer, msgId: 1 });
  expect(general.messages).toMatchObject([{ action: { _: 'messageActionChannelCreate' } }]);
  const refused = (params: object) => refusal(ada, 'messages.getDiscussionMessage', params);
  expect(await refused({ peer, msgId: 999 })).toEqual([400, 'MSG_ID_INVALID']);
  expect(await refused({ peer: { _: 'inputPeerSelf' }, msgId: 1 })).toEqual([400, 'PEER_ID_INVALID']);
  const { chats } = await call(ada, 'channels.createChannel', { broadcast: true, title: 'News', about: '' });
  const news = { _: 'inputPeerChannel', channelId: chats[0].id, accessHash: '0' };
  expect(await refused({ peer: news, msgId: 1 })).toEqual([400, 'MSG_ID_INVALID']);
});

it('counts as unread only what came after the reader, whatever is deleted', async () => {
  const { input, peer } = await aSupergroup();
  await call(ada, 'channels.toggleForum', { channel: input, enabled: true, tabs: false });
  const topicId = await aTopic(peer, 'Topic');
  await send(ada, peer, topicId, 'Old');
  const { id: oldId } = await sandbox.newest(ada, peer);
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  await call(cleo, 'channels.joinChannel', { channel: input });
  await send(ada, peer, topicId, 'New');
  await call(ada, 'channels.deleteMessages', { channel: input, id: [oldId] });
  const { topics } = await call(cleo, 'messages.getForumTopics', { peer, ...PAGE });
  expect(topics.find(({ id }: { id: number }) => id === topicId)).toMatchObject({ unreadCount: 1 });
});

it('counts nothing as read of what a reader has missed in the second in which it comes', async () => {
  const { input, peer } = await aSupergroup({ megagroup: true, forum: true });
  await call(bob, 'channels.leaveChannel', { channel: input });
  // All of it happens in the second that begins now.
  await new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)));
  await sandbox.send(ada, peer, 'Old');
  const { id } = await sandbox.newest(ada, peer);
  await call(bob, 'channels.joinChannel', { channel: input });
  await sandbox.send(ada, peer, 'New');
  await call(ada, 'channels.deleteMessages', { channel: input, id: [id] });
  const { topics } = await call(bob, 'messages.getForumTopicsByID', { peer, topics: [1] });
  expect(topics).toMatchObject([{ unreadCount: 1 }]);
});

it('can be deleted in a forum with as many members as there may be', async () => {
  const { input, peer } = await aSupergroup({ megagroup: true, forum: true });
  const others: SandboxAccount[] = [];
  while (others.length < 88) others.push(await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId }));
  for (const account of others) await call(account, 'channels.joinChannel', { channel: input });
  const topMsgId = await aTopic(peer, 'Topic');
  expect(await call(ada, 'messages.deleteTopicHistory', { peer, topMsgId })).toMatchObject({ offset: 0 });
  const { topics } = await call(ada, 'messages.getForumTopics', { peer, ...PAGE });
  expect(topics.map(({ title }: { title: string }) => title)).toEqual(['General']);
});
