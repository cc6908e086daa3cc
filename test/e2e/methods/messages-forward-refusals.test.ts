import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let workspaceId: string;
let ada: Account;

beforeAll(async () => {
  service = await Service.start();
  workspaceId = (await service.aWorkspace()).id;
  ada = await service.anAccount(workspaceId);
});

afterAll(() => service.stop());

const SELF = { _: 'inputPeerSelf' };
const peerOf = ({ userId }: Account) => ({ _: 'inputPeerUser', userId, accessHash: '0' });

async function refusal(account: Account, id: number, toPeer: object, more: object = {}): Promise<string> {
  const randomId = [String(Math.floor(Math.random() * 1e15))];
  const params = { fromPeer: SELF, id: [id], randomId, toPeer, ...more };
  return (await service.call(account, 'messages.forwardMessages', params)).body.code;
}

async function aPoll(account: Account): Promise<number> {
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = ['Yes', 'No'].map((words, i) => ({
    _: 'pollAnswer',
    text: text(words),
    option: Buffer.of(i).toString('base64'),
  }));
  const poll = { _: 'poll', id: '0', publicVoters: true, question: text('Well?'), answers, hash: '0' };
  await service.result(account, 'messages.sendMedia', {
    peer: SELF,
    message: '',
    media: { _: 'inputMediaPoll', poll },
  });
  const page = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 1, maxId: 0, minId: 0, hash: '0' };
  return (await service.result(account, 'messages.getHistory', { peer: SELF, ...page })).messages[0].id;
}

async function aChannel(account: Account): Promise<object> {
  const params = { title: 'Channel', about: '', broadcast: true };
  const { chats } = await service.result(account, 'channels.createChannel', params);
  return { _: 'inputPeerChannel', channelId: chats[0].id, accessHash: chats[0].accessHash };
}

it('a bot forwards nothing to a bot', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => service.anAccount(workspaceId, { bot: true })));
  expect(await refusal(one as Account, 1, peerOf(other as Account))).toBe('USER_IS_BOT');
});

it('nobody forwards to a user whose account is gone', async () => {
  const gone = await service.anAccount(workspaceId);
  await service.ok('DELETE', `/v1/messenger-accounts/${gone.id}`);
  expect(await refusal(ada, 1, peerOf(gone))).toBe('INPUT_USER_DEACTIVATED');
});

it('a poll that shows its voters is not forwarded to a channel', async () => {
  expect(await refusal(ada, await aPoll(ada), await aChannel(ada))).toBe('BROADCAST_PUBLIC_VOTERS_FORBIDDEN');
});

it('posts are suggested, and monoforum talks answered, in monoforums only', async () => {
  const bob = await service.anAccount(workspaceId);
  const suggestedPost = { _: 'suggestedPost' };
  expect(await refusal(ada, 1, peerOf(bob), { suggestedPost })).toBe('SUGGESTED_POST_PEER_INVALID');
  const replyTo = { _: 'inputReplyToMonoForum', monoforumPeerId: peerOf(bob) };
  expect(await refusal(ada, 1, peerOf(bob), { replyTo })).toBe('REPLY_TO_MONOFORUM_PEER_INVALID');
});

it('mentions in a private channel are read by its members only', async () => {
  const bob = await service.anAccount(workspaceId);
  const peer = await aChannel(ada);
  for (const method of ['messages.readMentions', 'messages.getUnreadMentions']) {
    const page = { offsetId: 0, addOffset: 0, limit: 1, maxId: 0, minId: 0 };
    const params = method === 'messages.readMentions' ? { peer } : { peer, ...page };
    expect((await service.call(bob, method, params)).body.code).toBe('CHANNEL_PRIVATE');
  }
});
