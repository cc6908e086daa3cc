import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { aChannel as aMemberChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { aRandomId, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let workspaceId: string;
let ada: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  workspaceId = newId('workspace');
  ada = await sandbox.anAccount('Account', { workspaceId });
});

afterAll(() => sandbox.close());

const SELF = { _: 'inputPeerSelf' };
const peerOf = ({ userId }: SandboxAccount) => ({ _: 'inputPeerUser', userId, accessHash: '0' });

async function refusal(
  account: SandboxAccount,
  id: number,
  toPeer: object,
  more: object = {},
): Promise<string> {
  const randomId = [String(Math.floor(Math.random() * 1e15))];
  const params = { fromPeer: SELF, id: [id], randomId, toPeer, ...more };
  return (await sandbox.answer(account, 'messages.forwardMessages', params)).body.code;
}

async function aPoll(account: SandboxAccount): Promise<number> {
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = ['Yes', 'No'].map((words, i) => ({
    _: 'pollAnswer',
    text: text(words),
    option: Buffer.of(i).toString('base64'),
  }));
  const poll = { _: 'poll', id: '0', publicVoters: true, question: text('Well?'), answers, hash: '0' };
  await sandbox.call(account, 'messages.sendMedia', {
    peer: SELF,
    message: '',
    media: { _: 'inputMediaPoll', poll },
  });
  const page = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 1, maxId: 0, minId: 0, hash: '0' };
  return (await sandbox.call(account, 'messages.getHistory', { peer: SELF, ...page })).messages[0].id;
}

async function aChannel(account: SandboxAccount): Promise<object> {
  const params = { title: 'Channel', about: '', broadcast: true };
  const { chats } = await sandbox.call(account, 'channels.createChannel', params);
  return { _: 'inputPeerChannel', channelId: chats[0].id, accessHash: chats[0].accessHash };
}

it('a bot forwards nothing to a bot', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(() => sandbox.anAccount('Account', { workspaceId, bot: true })),
  );
  expect(await refusal(one as SandboxAccount, 1, peerOf(other as SandboxAccount))).toBe('USER_IS_BOT');
});

it('nobody forwards to a user whose account is gone', async () => {
  const gone = await sandbox.anAccount('Account', { workspaceId });
  await sandbox.order(gone, 'disconnectAccount');
  expect(await refusal(ada, 1, peerOf(gone))).toBe('INPUT_USER_DEACTIVATED');
});

it('a poll that shows its voters is not forwarded to a channel', async () => {
  expect(await refusal(ada, await aPoll(ada), await aChannel(ada))).toBe('BROADCAST_PUBLIC_VOTERS_FORBIDDEN');
});

it('posts are suggested, and monoforum talks answered, in monoforums only', async () => {
  const bob = await sandbox.anAccount('Account', { workspaceId });
  const suggestedPost = { _: 'suggestedPost' };
  expect(await refusal(ada, 1, peerOf(bob), { suggestedPost })).toBe('SUGGESTED_POST_PEER_INVALID');
  const replyTo = { _: 'inputReplyToMonoForum', monoforumPeerId: peerOf(bob) };
  expect(await refusal(ada, 1, peerOf(bob), { replyTo })).toBe('REPLY_TO_MONOFORUM_PEER_INVALID');
});

it('mentions in a private channel are read by its members only', async () => {
  const bob = await sandbox.anAccount('Account', { workspaceId });
  const peer = await aChannel(ada);
  for (const method of ['messages.readMentions', 'messages.getUnreadMentions']) {
    const page = { offsetId: 0, addOffset: 0, limit: 1, maxId: 0, minId: 0 };
    const params = method === 'messages.readMentions' ? { peer } : { peer, ...page };
    expect((await sandbox.answer(bob, method, params)).body.code).toBe('CHANNEL_PRIVATE');
  }
});

it('nothing is forwarded, or answered elsewhere, that is protected by then', async () => {
  const bob = await sandbox.anAccount('Bob', { workspaceId });
  const supergroup = await aMemberChannel(sandbox, ada, { megagroup: true }, bob);
  for (const peer of [supergroup.peer, await sandbox.aGroup(ada, bob)]) {
    await sandbox.send(ada, peer, 'Secret');
    const { id } = await sandbox.newest(bob, peer);
    const protect = (enabled: boolean) => sandbox.call(ada, 'messages.toggleNoForwards', { peer, enabled });
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId: id, replyToPeerId: peer };
    const calls: [string, object][] = [
      ['messages.forwardMessages', { fromPeer: peer, id: [id], randomId: [aRandomId()], toPeer: SELF }],
      ['messages.sendMessage', { peer: SELF, message: 'So', replyTo }],
    ];
    for (const [method, params] of calls) {
      beforeCommitOf(sandbox, method, () => protect(true));
      const refused = await sandbox.refusal(bob, method, params);
      expect([method, refused]).toEqual([method, 'CHAT_FORWARDS_RESTRICTED']);
      await protect(false);
    }
  }
});

it('messages that do not fit one commit together are too long, now and later', async () => {
  const bob = await sandbox.anAccount('Account', { workspaceId });
  const entities = Array.from({ length: 100 }, (_, offset) => ({
    _: 'messageEntityTextUrl',
    offset,
    length: 1,
    url: `https://example.com/${'x'.repeat(290)}`,
  }));
  const ids: number[] = [];
  for (let sent = 0; sent < 20; sent += 1) {
    await sandbox.send(ada, SELF, 'x'.repeat(4_000), { entities });
    ids.push((await sandbox.newest(ada, SELF)).id);
  }
  const together = () => ({ id: ids, randomId: ids.map(aRandomId) });
  expect(await refusal(ada, 0, peerOf(bob), together())).toBe('MESSAGE_TOO_LONG');
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  expect(await refusal(ada, 0, peerOf(bob), { ...together(), scheduleDate })).toBe('MESSAGE_TOO_LONG');
  const few = { id: ids.slice(0, 5), randomId: ids.slice(0, 5).map(aRandomId) };
  expect(await refusal(ada, 0, peerOf(bob), few)).toBeUndefined();
});
