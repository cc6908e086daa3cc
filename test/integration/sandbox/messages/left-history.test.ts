import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { CHATS, invitesKey } from '../../../../workers/sandbox/model/chats/keys.ts';
import { DUE } from '../../../../workers/sandbox/model/common/due.ts';
import { draftDatesKey, draftsKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { beforeCommitOfOrder } from '../../../support/sandbox/before-commit.ts';
import { doAllDue } from '../../../support/sandbox/do-later.ts';
import { aRandomId, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

describe('a basic group that was left', () => {
  const WINDOW = { offsetId: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0 };

  /** A group in which Ada has mentioned Bob before he left it. */
  async function left() {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.aGroup(ada, bob);
    await sandbox.send(ada, group, `Before @${bob.username}`);
    await sandbox.call(bob, 'messages.deleteChatUser', {
      chatId: group.chatId,
      userId: { _: 'inputUserSelf' },
    });
    await sandbox.send(ada, group, 'After');
    const dialogOf = async () => {
      const peers = [{ _: 'inputDialogPeer', peer: group }];
      return (await sandbox.call(bob, 'messages.getPeerDialogs', { peers })).dialogs[0];
    };
    return { ada, bob, group, dialogOf };
  }

  it('is still read and searched, up to then, by who has left it', async () => {
    const { bob, group, dialogOf } = await left();
    const texts = (await sandbox.history(bob, group)).map(({ message }) => message);
    expect(texts).toEqual([undefined, `Before @${bob.username}`, undefined]);
    const filter = { _: 'inputMessagesFilterEmpty' };
    const search = { ...WINDOW, peer: group, q: 'before', filter, minDate: 0, maxDate: 0, hash: '0' };
    expect((await sandbox.call(bob, 'messages.search', search)).messages).toHaveLength(1);
    expect(await dialogOf()).toMatchObject({ unreadCount: 2, unreadMentionsCount: 1 });
    expect(await sandbox.refusal(bob, 'messages.sendMessage', { peer: group, message: 'Me again' })).toBe(
      'CHAT_ID_INVALID',
    );
    expect(await sandbox.refusal(bob, 'messages.getFullChat', { chatId: group.chatId })).toBe(
      'CHAT_ID_INVALID',
    );
  });

  it('is shown with reactions, views and polls, forwarded and answered elsewhere by who has left it', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const peer = await sandbox.aGroup(ada, bob);
    const { chatId } = peer;
    const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
    const answers = [{ _: 'pollAnswer', text: text('a'), option: 'YQ==' }];
    const media = {
      _: 'inputMediaPoll',
      poll: { _: 'poll', id: '0', hash: '0', question: text('?'), answers },
    };
    await sandbox.call(bob, 'messages.sendMedia', { peer, message: '', media });
    const voted = { peer, msgId: (await sandbox.newest(ada, peer)).id, options: ['YQ=='] };
    await sandbox.call(ada, 'messages.sendVote', voted);
    const { id } = await sandbox.newest(bob, peer);
    await sandbox.call(bob, 'messages.deleteChatUser', { chatId, userId: { _: 'inputUserSelf' } });

    const call = (method: string, params: object) => sandbox.call(bob, `messages.${method}`, params);
    const { updates } = await call('getMessagesReactions', { peer, id: [id] });
    expect(updates).toMatchObject([{ msgId: id, reactions: { results: [] } }]);
    expect(await call('getMessageReactionsList', { peer, id, limit: 10 })).toMatchObject({ count: 0 });
    expect((await call('getMessagesViews', { peer, id: [id], increment: false })).views).toHaveLength(1);
    expect((await call('getRichMessage', { peer, id })).messages).toMatchObject([{ _: 'message', id }]);
    const shown = await call('getPollResults', { peer, msgId: id, pollHash: '0' });
    expect(shown.updates).toMatchObject([{ results: { totalVoters: 1, hasUnreadVotes: true } }]);
    expect((await call('getUnreadPollVotes', { peer, ...WINDOW })).messages).toMatchObject([{ id }]);
    expect(await call('readPollVotes', { peer })).toMatchObject({ ptsCount: 1, offset: 0 });

    const toPeer = { _: 'inputPeerSelf' };
    await call('forwardMessages', { fromPeer: peer, id: [id], randomId: [aRandomId()], toPeer });
    expect(await sandbox.newest(bob, toPeer)).toMatchObject({ savedPeerId: { chatId } });
    await sandbox.send(bob, toPeer, 'Mine', {
      replyTo: { _: 'inputReplyToMessage', replyToMsgId: id, replyToPeerId: peer },
    });
    expect((await sandbox.newest(bob, toPeer)).replyTo).toMatchObject({ replyToPeerId: { chatId } });
    const refused = { ...voted, msgId: id };
    expect(await sandbox.refusal(bob, 'messages.sendVote', refused)).toBe('CHAT_ID_INVALID');
  });

  it('has no draft any more, and takes none, but an earlier one can be removed', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const peer = await sandbox.aGroup(ada, bob);
    await sandbox.call(bob, 'messages.saveDraft', { peer, message: 'Not sent' });
    await sandbox.call(ada, 'messages.deleteChatUser', { chatId: peer.chatId, userId: userOf(bob) });
    const listed = async () =>
      (await sandbox.call(bob, 'messages.getAllDrafts')).updates.filter(
        (update: { peer: { chatId?: number } }) => update.peer.chatId === peer.chatId,
      );
    expect(await listed()).toEqual([]);
    const again = { peer, message: 'Not sent' };
    expect(await sandbox.refusal(bob, 'messages.saveDraft', again)).toBe('CHAT_ID_INVALID');
    const earlier = JSON.stringify({ _: 'draftMessage', message: 'Not sent', date: 1 });
    await sandbox.redis.hset(stateKey(bob.workspaceId, draftsKey(bob.userId)), `g${peer.chatId}`, earlier);
    await sandbox.redis.zadd(stateKey(bob.workspaceId, draftDatesKey(bob.userId)), 1, `g${peer.chatId}`);
    expect(await listed()).toHaveLength(1);
    await sandbox.call(bob, 'messages.saveDraft', { peer, message: '' });
    expect(await listed()).toEqual([]);
  });

  it('is still read by who has left it when the others are reset or deleted', async () => {
    for (const order of ['resetAccount', 'disconnectAccount']) {
      const { ada, bob, group } = await left();
      for (let done = false; !done; ) done = (await sandbox.order(ada, order)).done !== false;
      await doDueWork(bob);
      expect(await sandbox.history(bob, group)).toHaveLength(3);
      const [before] = await sandbox.history(bob, group, { addOffset: 1, limit: 1 });
      await sandbox.call(bob, 'messages.deleteMessages', { id: [before.id] });
      expect(await sandbox.history(bob, group)).toHaveLength(2);
      while (!(await sandbox.order(bob, 'resetAccount')).done);
      const kept = (name: string) =>
        sandbox.redis.keys(stateKey(bob.workspaceId, `${name}:*${group.chatId}`));
      expect([...(await kept('former')), ...(await kept('history'))]).toEqual([]);
      expect(await sandbox.redis.hget(stateKey(bob.workspaceId, CHATS), String(group.chatId))).toBeNull();
    }
  });

  it('ends when the last two who still read it are reset at once', async () => {
    const { ada, bob, group } = await left();
    const self = { _: 'inputUserSelf' };
    await sandbox.call(ada, 'messages.deleteChatUser', { chatId: group.chatId, userId: self });
    const reset = async (account: SandboxAccount) => {
      while (!(await sandbox.order(account, 'resetAccount')).done);
    };
    beforeCommitOfOrder(sandbox, 'resetAccount', () => reset(bob));
    await reset(ada);
    expect(await sandbox.redis.hget(stateKey(bob.workspaceId, CHATS), String(group.chatId))).toBeNull();
    const invites = stateKey(bob.workspaceId, invitesKey(`g${group.chatId}`));
    expect(await sandbox.redis.exists(invites)).toBe(0);
  });

  it('is marked as read and deleted for who has left it alone', async () => {
    const { ada, bob, group, dialogOf } = await left();
    const { updates } = await sandbox.watch(ada, async () => {
      await sandbox.call(bob, 'messages.readHistory', { peer: group, maxId: 0 });
      await sandbox.call(bob, 'messages.readMentions', { peer: group });
      expect(await dialogOf()).toMatchObject({ unreadCount: 0, unreadMentionsCount: 0 });
      const everybody = { peer: group, maxId: 0, revoke: true };
      expect(await sandbox.refusal(bob, 'messages.deleteHistory', everybody)).toBe('CHAT_ID_INVALID');
      await sandbox.call(bob, 'messages.deleteHistory', { peer: group, maxId: 0 });
    });
    expect(updates.filter(({ accountId }) => accountId === ada.id)).toEqual([]);
    expect(await sandbox.history(ada, group)).toHaveLength(4);
    expect(
      await sandbox.refusal(bob, 'messages.getHistory', { ...WINDOW, peer: group, offsetDate: 0, hash: '0' }),
    ).toBe('CHAT_ID_INVALID');
    const page = { offsetDate: 0, offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' }, limit: 100, hash: '0' };
    const { dialogs } = await sandbox.call(bob, 'messages.getDialogs', page);
    expect(dialogs.some(({ peer }: { peer: { chatId?: number } }) => peer.chatId === group.chatId)).toBe(
      false,
    );
  });
});

/** Does what was left to be done later, as if it were due already. */
async function doDueWork(account: SandboxAccount): Promise<void> {
  const due = stateKey(account.workspaceId, DUE);
  for (const work of await sandbox.redis.zrange(due, '0', '-1'))
    if (work.startsWith('deleted:')) await sandbox.redis.zadd(due, 0, work);
  await doAllDue(sandbox, account);
}
