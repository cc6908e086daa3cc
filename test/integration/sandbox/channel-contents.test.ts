import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelOf, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

/** Three members of a supergroup, in which Bob has sent a voice message. */
async function aVoiceMessage() {
  const [ada, bob] = await sandbox.twoAccounts();
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const { forumId } = await sandbox.seeded(ada);
  for (const member of [bob, eve]) await sandbox.letIn(member, forumId);
  const peer = channelOf(forumId);
  await sandbox.sendFile(bob, peer, 'voice', { message: `@${eve.username}` });
  const { id } = await sandbox.newest(bob, peer);
  const channel = { _: 'inputChannel', channelId: forumId, accessHash: '0' };
  const read = (account: SandboxAccount, ...ids: number[]) =>
    sandbox.watch(account, () => sandbox.call(account, 'channels.readMessageContents', { channel, id: ids }));
  return { ada, bob, eve, peer, channel, id, read };
}

describe('channels.readMessageContents', () => {
  it('marks what was heard for each on its own, and tells its sender of the first', async () => {
    const { ada, bob, eve, peer, id, read } = await aVoiceMessage();
    const first = await read(ada, id, id, 999);
    expect(first.result).toEqual({ _: 'boolTrue' });
    expect(first.updates.map(({ accountId, update }) => [accountId, update._, update.messages])).toEqual([
      [ada.id, 'updateChannelReadMessagesContents', [id]],
      [bob.id, 'updateChannelReadMessagesContents', [id]],
    ]);
    const unheard = async (account: SandboxAccount) => (await sandbox.newest(account, peer)).mediaUnread;
    expect(await Promise.all([ada, bob, eve].map(unheard))).toEqual([false, false, true]);
    expect((await read(ada, id)).updates).toEqual([]);
    expect((await read(bob, id)).updates).toEqual([]);
    expect((await read(eve, id)).updates.map(({ accountId }) => accountId)).toEqual([eve.id]);
    expect(await unheard(eve)).toBe(false);
  });

  it('reads the mentions in them as well', async () => {
    const { eve, peer, id, read } = await aVoiceMessage();
    const window = { offsetId: 0, addOffset: 0, limit: 10, maxId: 0, minId: 0 };
    const mentions = async (topic: object = {}) =>
      (await sandbox.call(eve, 'messages.getUnreadMentions', { peer, ...window, ...topic })).messages;
    expect(await mentions({ topMsgId: 1 })).toHaveLength(1);
    await read(eve, id);
    expect(await mentions()).toEqual([]);
    expect(await mentions({ topMsgId: 1 })).toEqual([]);
    expect(await sandbox.newest(eve, peer)).toMatchObject({ mentioned: true, mediaUnread: false });
  });

  it('is refused to who is not in the channel', async () => {
    const { ada, channel, id } = await aVoiceMessage();
    const stranger = await sandbox.anAccount('Stranger', { workspaceId: ada.workspaceId });
    const read = (asked: object) =>
      sandbox.refusal(stranger, 'channels.readMessageContents', { channel: asked, id: [id] });
    expect(await read(channel)).toBe('CHANNEL_PRIVATE');
    expect(await read({ ...channel, channelId: 1 })).toBe('CHANNEL_INVALID');
  });
});

describe('channels.getMessages', () => {
  it('gives the messages asked for, and says which are not there', async () => {
    const { ada, bob, peer, channel, id } = await aVoiceMessage();
    await sandbox.send(ada, peer, 'Answer', { replyTo: { _: 'inputReplyToMessage', replyToMsgId: id } });
    const answer = await sandbox.newest(ada, peer);
    const result = await sandbox.call(ada, 'channels.getMessages', {
      channel,
      id: [
        { _: 'inputMessageID', id: answer.id },
        { _: 'inputMessageReplyTo', id: answer.id },
        { _: 'inputMessageID', id: 999 },
      ],
    });
    expect(result).toMatchObject({
      _: 'messages.channelMessages',
      messages: [
        { id: answer.id, out: true },
        { id, out: false, mediaUnread: true, fromId: { userId: bob.userId } },
        { _: 'messageEmpty', id: 999, peerId: { channelId: channel.channelId } },
      ],
    });
    const none = { channel, id: [] };
    expect(await sandbox.refusal(ada, 'channels.getMessages', none)).toBe('MESSAGE_IDS_EMPTY');
  });
});
