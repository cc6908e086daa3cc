import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { stateKey } from '../../../../src/redis/keys.ts';
import { messagesKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { forwardsKey } from '../../../../workers/sandbox/model/messages/keys.ts';
import { aRandomId, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let owner: SandboxAccount;
let reader: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const id = newId('workspace');
  [owner, reader] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
  ]);
});

afterAll(() => sandbox.close());

const EMPTY = { _: 'inputChannelEmpty' };

async function furnishedChannel(account: SandboxAccount) {
  const { chats } = await sandbox.call(account, 'messages.getSponsoredMessages', {
    peer: { _: 'inputPeerEmpty' },
  });
  return { channelId: chats[0].id as number, accessHash: chats[0].accessHash as string };
}

async function loadGraphs(account: SandboxAccount) {
  const stats = await sandbox.call(account, 'stats.getMessageStats', { channel: EMPTY, msgId: 1 });
  expect(stats).toMatchObject({
    _: 'stats.messageStats',
    viewsGraph: { _: 'statsGraphAsync' },
    reactionsByEmotionGraph: { _: 'statsGraphAsync' },
  });
  const load = async ({ token }: { token: string }) => {
    const graph = await sandbox.call(account, 'stats.loadAsyncGraph', { token });
    expect(graph._).toBe('statsGraph');
    return JSON.parse(graph.json.data);
  };
  return { views: await load(stats.viewsGraph), emotions: await load(stats.reactionsByEmotionGraph) };
}

async function refusal(account: SandboxAccount, method: string, params: object): Promise<string> {
  return (await sandbox.answer(account, method, params)).body.code;
}

it('turns tokens into graphs of the views and reactions of each day', async () => {
  const before = await loadGraphs(owner);
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  expect(before.views).toMatchObject({
    columns: [
      ['x', today],
      ['y0', 1],
    ],
    types: { x: 'x', y0: 'line' },
    names: { y0: 'Views' },
  });
  expect(before.emotions.names).toEqual({ y0: 'Positive', y1: 'Negative', y2: 'Other' });
  expect(before.emotions.columns.slice(1)).toEqual([
    ['y0', 0],
    ['y1', 0],
    ['y2', 0],
  ]);

  const peer = { _: 'inputPeerChannel', ...(await furnishedChannel(owner)) };
  await sandbox.call(reader, 'messages.getMessagesViews', { peer, id: [1], increment: true });
  const reaction = [{ _: 'reactionEmoji', emoticon: '👎' }];
  await sandbox.call(owner, 'messages.sendReaction', { peer, msgId: 1, reaction });
  const after = await loadGraphs(owner);
  expect(after.views.columns[1]).toEqual(['y0', 2]);
  expect(after.emotions.columns.slice(1)).toEqual([
    ['y0', 0],
    ['y1', 1],
    ['y2', 0],
  ]);
  await sandbox.call(owner, 'messages.sendReaction', { peer, msgId: 1, reaction: [] });
  expect((await loadGraphs(owner)).emotions.columns[2]).toEqual(['y1', 0]);
});

it('refuses tokens that are not the account’s, or too old', async () => {
  const { viewsGraph } = await sandbox.call(owner, 'stats.getMessageStats', { channel: EMPTY, msgId: 1 });
  const load = (account: SandboxAccount, token: string) =>
    refusal(account, 'stats.loadAsyncGraph', { token });
  expect(await load(reader, viewsGraph.token)).toBe('GRAPH_INVALID_RELOAD');
  expect(await load(owner, 'nothing')).toBe('GRAPH_INVALID_RELOAD');
  const [kind, channelId, msgId, userId, date] = Buffer.from(viewsGraph.token, 'base64url')
    .toString()
    .split('.');
  const old = [kind, channelId, msgId, userId, Number(date) - 90_000].join('.');
  expect(await load(owner, Buffer.from(old).toString('base64url'))).toBe('GRAPH_EXPIRED_RELOAD');
  const gone = [kind, channelId, 999, userId, date].join('.');
  expect(await load(owner, Buffer.from(gone).toString('base64url'))).toBe('GRAPH_OUTDATED_RELOAD');
});

it('finds the furnished forward of post 1 by the documented request', async () => {
  const found = await sandbox.call(owner, 'stats.getMessagePublicForwards', {
    channel: EMPTY,
    msgId: 1,
    offset: '',
    limit: 10,
  });
  const { channelId } = await furnishedChannel(owner);
  expect(found).toMatchObject({
    _: 'stats.publicForwards',
    count: 1,
    forwards: [
      { _: 'publicForwardMessage', message: { fwdFrom: { fromId: { channelId }, channelPost: 1 } } },
    ],
  });
  const { message } = found.forwards[0];
  expect(message.peerId._).toBe('peerChannel');
  expect(message.peerId.channelId).not.toBe(channelId);
  expect(found.chats.map(({ id }: { id: number }) => id)).toContain(message.peerId.channelId);
  expect(found).not.toHaveProperty('nextOffset');
});

it('pages through every public channel a post was forwarded to', async () => {
  const peer = { _: 'inputPeerChannel', ...(await furnishedChannel(owner)) };
  const targets = await Promise.all([aPublicChannel(), aPublicChannel(), aPublicChannel()]);
  for (const [i, toPeer] of targets.entries()) {
    await sandbox.answer(reader, 'messages.forwardMessages', {
      fromPeer: peer,
      id: [1],
      randomId: [`${i + 1}`],
      toPeer,
    });
  }
  const found: number[] = [];
  let offset = '';
  for (let pages = 1; ; pages += 1) {
    const page = await sandbox.call(owner, 'stats.getMessagePublicForwards', {
      channel: EMPTY,
      msgId: 1,
      offset,
      limit: 2,
    });
    expect(page.count).toBe(4);
    found.push(
      ...page.forwards.map(
        ({ message }: { message: { peerId: { channelId: number } } }) => message.peerId.channelId,
      ),
    );
    if (page.nextOffset === undefined) {
      expect(pages).toBe(2);
      break;
    }
    offset = page.nextOffset;
  }
  expect(new Set(found).size).toBe(4);
  expect(found).toEqual(expect.arrayContaining(targets.map(({ channelId }) => channelId)));
});

it('names who has forwarded a post to a public supergroup, and shows a poll as it stands', async () => {
  const from = await aChannel(owner, { broadcast: true });
  const { channelId, accessHash } = await aChannel(reader, { megagroup: true });
  const channel = { _: 'inputChannel', channelId, accessHash };
  await sandbox.call(reader, 'channels.updateUsername', { channel, username: `group_${channelId}` });
  const text = (of: string) => ({ _: 'textWithEntities', text: of, entities: [] });
  const options = ['AA==', 'AQ=='];
  const answers = options.map((option) => ({ _: 'pollAnswer', text: text(option), option }));
  const poll = { _: 'poll', id: '0', question: text('Well?'), answers, hash: '0' };
  const source = { _: 'inputPeerChannel', ...from };
  await sandbox.letIn(reader, from.channelId);
  const media = { _: 'inputMediaPoll', poll };
  await sandbox.call(owner, 'messages.sendMedia', {
    peer: source,
    media,
    message: '',
    randomId: aRandomId(),
  });
  const { id: msgId, media: sent } = await sandbox.newest(owner, source);
  await sandbox.call(reader, 'messages.forwardMessages', {
    fromPeer: source,
    id: [msgId],
    randomId: [aRandomId()],
    toPeer: { _: 'inputPeerChannel', channelId, accessHash },
  });
  const [answer] = sent.poll.answers;
  await sandbox.call(reader, 'messages.sendVote', { peer: source, msgId, options: [answer.option] });
  const asked = { channel: { _: 'inputChannel', ...from }, msgId, offset: '', limit: 10 };
  expect(await sandbox.call(owner, 'stats.getMessagePublicForwards', asked)).toMatchObject({
    forwards: [{ message: { fromId: { userId: reader.userId }, media: { results: { totalVoters: 1 } } } }],
    users: [{ id: reader.userId }],
  });
});

it('shows as many forwards as fit a page, and the others after them', async () => {
  const peer = { _: 'inputPeerChannel', ...(await furnishedChannel(owner)) };
  const posted = await sandbox.send(owner, peer, 'Spread');
  const msgId = posted.updates.find(({ message }: { message?: object }) => message).message.id;
  const { channelId } = await aPublicChannel();
  const { redis } = sandbox;
  const { workspaceId } = owner;
  const stored =
    (await redis.hget(stateKey(workspaceId, messagesKey(`c${peer.channelId}`)), `${msgId}`)) ?? '';
  const { message, ...more } = JSON.parse(stored);
  for (let id = 101; id <= 160; id += 1) {
    const peerId = { _: 'peerChannel', channelId };
    const large = { ...more, message: { ...message, id, peerId, message: 'x '.repeat(100_000) } };
    await redis.hset(stateKey(workspaceId, messagesKey(`c${channelId}`)), `${id}`, JSON.stringify(large));
    const forwards = stateKey(workspaceId, forwardsKey({ channelId: peer.channelId, msgId }));
    await redis.zadd(forwards, id, `${channelId}:${id}`);
  }
  const found: number[] = [];
  let offset: string | undefined = '';
  while (offset !== undefined) {
    const asked = { channel: EMPTY, msgId, offset, limit: 100 };
    const page = await sandbox.call(owner, 'stats.getMessagePublicForwards', asked);
    expect(JSON.stringify(page).length).toBeLessThan(5 * 1_024 * 1_024);
    found.push(...page.forwards.map((forward: { message: { id: number } }) => forward.message.id));
    offset = page.nextOffset;
  }
  expect(found).toEqual(Array.from({ length: 60 }, (_, i) => 160 - i));
});

it('refuses statistics of posts that are not the account’s to see', async () => {
  const channel = { _: 'inputChannel', ...(await furnishedChannel(owner)) };
  const page = { offset: '', limit: 10 };
  for (const [method, more] of [
    ['stats.getMessageStats', {}],
    ['stats.getMessagePublicForwards', page],
  ] as const) {
    expect(await refusal(reader, method, { channel, msgId: 1, ...more })).toBe('CHAT_ADMIN_REQUIRED');
    expect(await refusal(owner, method, { channel, msgId: 999, ...more })).toBe('MESSAGE_ID_INVALID');
    const nowhere = { _: 'inputChannel', channelId: 4_242, accessHash: '0' };
    expect(await refusal(owner, method, { channel: nowhere, msgId: 1, ...more })).toBe('CHANNEL_INVALID');
    const group = { _: 'inputChannel', ...(await aMegagroup()) };
    expect(await refusal(owner, method, { channel: group, msgId: 1, ...more })).toBe('PEER_ID_INVALID');
  }
  const negative = { channel, msgId: 1, offset: '', limit: -1 };
  expect(await refusal(owner, 'stats.getMessagePublicForwards', negative)).toBe('LIMIT_INVALID');
  const garbage = { channel, msgId: 1, offset: 'garbage', limit: 1 };
  expect(await refusal(owner, 'stats.getMessagePublicForwards', garbage)).toBe('OFFSET_INVALID');
});

async function aChannel(account: SandboxAccount, settings: object) {
  const made = await sandbox.call(account, 'channels.createChannel', {
    title: 'News',
    about: '',
    ...settings,
  });
  const { id, accessHash } = made.chats[0];
  return { channelId: id as number, accessHash: accessHash as string };
}

function aMegagroup() {
  return aChannel(owner, { megagroup: true });
}

async function aPublicChannel() {
  const channel = await aChannel(reader, { broadcast: true });
  const username = `news_${channel.channelId}`;
  await sandbox.call(reader, 'channels.updateUsername', {
    channel: { _: 'inputChannel', ...channel },
    username,
  });
  return { _: 'inputPeerChannel', ...channel };
}
