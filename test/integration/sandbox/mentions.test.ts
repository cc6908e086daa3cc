import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChannel } from '../../support/sandbox/a-channel.ts';
import { aRandomId, channelOf, peerOf, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const WINDOW = { offsetId: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0 };
const unreadMentions = async (account: SandboxAccount, peer: object, window: object = {}) =>
  sandbox.call(account, 'messages.getUnreadMentions', {
    peer,
    ...WINDOW,
    ...window,
  });

/** A group in which Bob has mentioned Ada so often; and the ids of those messages in Ada's box. */
async function mentioned(times: number) {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(bob, ada);
  for (let i = 0; i < times; i += 1) await sandbox.send(bob, group, `@${ada.username} ${i}`);
  await sandbox.send(bob, group, 'Nobody');
  const ids: number[] = (await sandbox.history(ada, group)).map(({ id }) => id).slice(1, times + 1);
  return { ada, bob, group, ids };
}

describe('messages.getUnreadMentions', () => {
  it('lists the unread mentions, newest first, whole messages with their senders and chat', async () => {
    const { ada, bob, group, ids } = await mentioned(3);
    const result = await unreadMentions(ada, group);
    expect(result._).toBe('messages.messages');
    expect(result.messages.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(result.messages[0]).toMatchObject({
      mentioned: true,
      mediaUnread: true,
    });
    expect(result.users).toMatchObject([{ id: bob.userId }]);
    expect(result.chats).toMatchObject([{ id: group.chatId }]);
  });

  it('lists nothing of a broadcast channel, whose posts mention nobody', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { peer } = await aChannel(sandbox, bob, { broadcast: true }, ada);
    await sandbox.send(bob, peer, `News of @${ada.username}`);
    expect((await unreadMentions(ada, peer)).messages).toEqual([]);
    expect(await sandbox.newest(ada, peer)).toMatchObject({ mentioned: false, mediaUnread: false });
  });

  it('lists answers to messages of the account in groups, and no others', async () => {
    const { ada, bob, group } = await mentioned(0);
    const { peer: supergroup } = await aChannel(sandbox, bob, { megagroup: true, forum: true }, ada);
    const answer = async (account: SandboxAccount, peer: object) => {
      const { id: replyToMsgId } = await sandbox.newest(account, peer);
      const replyTo = { _: 'inputReplyToMessage', replyToMsgId };
      await sandbox.send(account, peer, `By ${account.userId}`, { replyTo });
    };
    const listed = async (peer: object) =>
      (await unreadMentions(ada, peer)).messages.map(({ message }: { message: string }) => message);
    for (const peer of [group, supergroup]) {
      await sandbox.send(ada, peer, 'A question');
      await answer(bob, peer);
      await answer(bob, peer);
      await answer(ada, peer);
      expect(await listed(peer)).toEqual([`By ${bob.userId}`]);
    }
    await sandbox.send(ada, peerOf(bob), 'A question');
    await answer(bob, peerOf(ada));
    expect(await listed(peerOf(bob))).toEqual([]);
    const topic = { peer: supergroup, title: 'Topic', randomId: aRandomId() };
    const topicId = (await sandbox.call(ada, 'messages.createForumTopic', topic)).updates[0].id;
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId: topicId, topMsgId: topicId };
    await sandbox.send(bob, supergroup, 'In the topic', { replyTo });
    expect(await listed(supergroup)).toHaveLength(1);
  });

  it('gives the window asked for', async () => {
    const { ada, group, ids } = await mentioned(6);
    const at = async (window: object) =>
      (await unreadMentions(ada, group, window)).messages.map(({ id }: { id: number }) => ids.indexOf(id));
    expect(await at({ limit: 2 })).toEqual([0, 1]);
    expect(await at({ limit: 2, offsetId: ids[1] })).toEqual([2, 3]);
    expect(await at({ limit: 2, offsetId: ids[3], addOffset: -2 })).toEqual([2, 3]);
    expect(await at({ limit: 3, addOffset: 1 })).toEqual([1, 2, 3]);
    expect(await at({ maxId: ids[1], minId: ids[4] })).toEqual([2, 3]);
    expect(await at({ limit: 0 })).toEqual([]);
    expect(
      await sandbox.refusal(ada, 'messages.getUnreadMentions', {
        peer: group,
        ...WINDOW,
        limit: -1,
      }),
    ).toBe('LIMIT_INVALID');
  });

  it('knows no mentions in private chats', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.send(bob, peerOf(ada), `@${ada.username}`);
    expect((await unreadMentions(ada, peerOf(bob))).messages).toEqual([]);
  });
});

describe('messages.readMentions', () => {
  it('marks them as read and counts them', async () => {
    const { ada, group } = await mentioned(3);
    const { result, updates } = await sandbox.watch(ada, () =>
      sandbox.call(ada, 'messages.readMentions', { peer: group }),
    );
    expect(result).toEqual({
      _: 'messages.affectedHistory',
      pts: expect.any(Number),
      ptsCount: 3,
      offset: 0,
    });
    expect(updates).toMatchObject([
      { accountId: ada.id, update: { _: 'updateReadMessagesContents', pts: result.pts, ptsCount: 3 } },
    ]);
    expect((await unreadMentions(ada, group)).messages).toEqual([]);
    expect((await sandbox.history(ada, group))[1]).toMatchObject({
      mentioned: true,
      mediaUnread: false,
    });
    expect(await sandbox.call(ada, 'messages.readMentions', { peer: group })).toEqual({
      ...result,
      ptsCount: 0,
    });
  });

  it('leaves a voice message that mentions the account unheard', async () => {
    const { ada, bob, group } = await mentioned(0);
    await sandbox.sendFile(bob, group, 'voice', {
      message: `@${ada.username}`,
    });
    expect((await sandbox.call(ada, 'messages.readMentions', { peer: group })).ptsCount).toBe(1);
    expect(await sandbox.newest(ada, group)).toMatchObject({
      mediaUnread: true,
    });
  });

  it('counts each mention once, however many calls read them at once', async () => {
    const { ada, group } = await mentioned(5);
    const calls = Array.from({ length: 10 }, () =>
      sandbox.call(ada, 'messages.readMentions', { peer: group }),
    );
    const counts = (await Promise.all(calls)).map(({ ptsCount }) => ptsCount);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  });

  it('reads each mention in a supergroup once as well, and counts none, as the pts of a channel stays', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { forumId } = await sandbox.seeded(bob);
    await sandbox.letIn(ada, forumId);
    const peer = channelOf(forumId);
    for (let i = 0; i < 5; i += 1) await sandbox.send(bob, peer, `@${ada.username} ${i}`);
    expect((await unreadMentions(ada, peer)).messages).toHaveLength(5);
    const { result, updates } = await sandbox.watch(ada, () =>
      Promise.all(Array.from({ length: 10 }, () => sandbox.call(ada, 'messages.readMentions', { peer }))),
    );
    expect(updates.flatMap(({ update }) => update.messages)).toHaveLength(5);
    const { pts } = await sandbox.call(ada, 'messages.readMentions', { peer });
    expect(result).toEqual(Array(10).fill({ _: 'messages.affectedHistory', pts, ptsCount: 0, offset: 0 }));
    expect((await unreadMentions(ada, peer)).messages).toEqual([]);
  });

  it('refuses monoforums, and topics that do not exist', async () => {
    const ada = await sandbox.anAccount();
    const { monoforumId, forumId } = await sandbox.seeded(ada);
    const readIn = (channelId: number, topic: object = {}) =>
      sandbox.refusal(ada, 'messages.readMentions', {
        peer: channelOf(channelId),
        ...topic,
      });
    expect(await readIn(monoforumId)).toBe('CHANNEL_MONOFORUM_UNSUPPORTED');
    expect(await readIn(forumId, { topMsgId: 4_711 })).toBe('MSG_ID_INVALID');
  });

  it('reads the mentions of a forum and of one of its topics', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { forumId } = await sandbox.seeded(ada);
    await sandbox.letIn(bob, forumId);
    const forum = channelOf(forumId);
    for (const text of ['one', 'two']) await sandbox.send(ada, forum, `@${bob.username} ${text}`);
    expect((await sandbox.newest(bob, forum)).mentioned).toBe(true);
    const general = await unreadMentions(bob, forum, { topMsgId: 1 });
    expect(general.messages).toHaveLength(2);
    expect(
      await sandbox.call(bob, 'messages.readMentions', {
        peer: forum,
        topMsgId: 1,
      }),
    ).toMatchObject({
      ptsCount: 0,
      offset: 0,
    });
    expect((await unreadMentions(bob, forum)).messages).toEqual([]);
    expect(await sandbox.newest(bob, forum)).toMatchObject({
      mentioned: true,
      mediaUnread: false,
    });
  });
});
