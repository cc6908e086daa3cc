import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

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
