import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOfOrder } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

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

const EMPTY = { _: 'inputPeerEmpty' };

function sponsored(account: SandboxAccount, peer: object = EMPTY) {
  return sandbox.call(account, 'messages.getSponsoredMessages', { peer });
}

async function refusal(peer: object, more: object = {}): Promise<string> {
  const answer = await sandbox.answer(owner, 'messages.getSponsoredMessages', { peer, ...more });
  return answer.body.code;
}

it('shows the furnished sponsored message with every documented field', async () => {
  const found = await sponsored(owner);
  expect(found).toMatchObject({
    _: 'messages.sponsoredMessages',
    postsBetween: expect.any(Number),
    startDelay: expect.any(Number),
    betweenDelay: expect.any(Number),
    chats: [{ _: 'channel' }],
    users: [],
  });
  expect(Object.keys(found.messages[0]).sort()).toEqual(
    [
      ...[
        '_',
        'recommended',
        'canReport',
        'randomId',
        'url',
        'title',
        'message',
        'entities',
        'photo',
        'media',
      ],
      ...['color', 'buttonText', 'sponsorInfo', 'additionalInfo', 'minDisplayDuration', 'maxDisplayDuration'],
    ].sort(),
  );
});

it('refuses what has no sponsored messages', async () => {
  expect(await refusal({ _: 'inputPeerSelf' })).toBe('PEER_ID_INVALID');
  expect(await refusal({ _: 'inputPeerUser', userId: reader.userId, accessHash: '0' })).toBe(
    'PEER_ID_INVALID',
  );
  expect(await refusal({ _: 'inputPeerChat', chatId: 1 })).toBe('PEER_ID_INVALID');
  expect(await refusal({ _: 'inputPeerChannel', channelId: 4_242, accessHash: '0' })).toBe('CHANNEL_INVALID');
  expect(await refusal(EMPTY, { msgId: 999 })).toBe('MSG_ID_INVALID');
});

it('takes inputPeerEmpty for nothing where peers are strict', async () => {
  const strict = await sandbox.anAccount('Account', { workspaceId: owner.workspaceId, strictPeers: true });
  const answer = await sandbox.answer(strict, 'messages.getSponsoredMessages', { peer: EMPTY });
  expect(answer.body.code).toBe('PEER_ID_INVALID');
});

const aMessage = (randomId: string) => ({
  _: 'sponsoredMessage',
  randomId: Buffer.from(randomId).toString('base64'),
  url: 'https://example.com',
  title: 'Example',
  message: 'Buy this',
  buttonText: 'Open',
});

function setMessages(target: object, ...randomIds: string[]) {
  return sandbox.order(owner, 'setSponsoredMessages', { ...target, messages: randomIds.map(aMessage) });
}

it('sets none for a channel that was deleted, or is deleted meanwhile', async () => {
  const gone = await aChannel(sandbox, owner, { broadcast: true });
  await sandbox.call(owner, 'channels.deleteChannel', { channel: gone.channel });
  await expect(setMessages({ channelId: gone.id }, 'late')).rejects.toThrow('CHANNEL_INVALID');
  const { id: channelId, channel } = await aChannel(sandbox, owner, { broadcast: true });
  const remove = () => sandbox.call(owner, 'channels.deleteChannel', { channel });
  beforeCommitOfOrder(sandbox, 'setSponsoredMessages', remove);
  await expect(setMessages({ channelId }, 'late')).rejects.toThrow('CHANNEL_INVALID');
});

it('forgets the messages that were set a moment before others', async () => {
  const { id: channelId } = await aChannel(sandbox, owner, { broadcast: true });
  beforeCommitOfOrder(sandbox, 'setSponsoredMessages', () => setMessages({ channelId }, 'first'));
  await setMessages({ channelId }, 'second');
  const { randomId } = aMessage('first');
  const seen = await sandbox.call(owner, 'messages.viewSponsoredMessage', { randomId });
  expect(seen).toEqual({ _: 'boolFalse' });
});

it('leaves a message its id that another channel had before', async () => {
  const { id: before } = await aChannel(sandbox, owner, { broadcast: true });
  const { id: now } = await aChannel(sandbox, owner, { broadcast: true });
  const { randomId } = aMessage('shared');
  const view = () => sandbox.call(owner, 'messages.viewSponsoredMessage', { randomId });
  const viewsOf = async (channelId: number) =>
    (await sandbox.order(owner, 'getSponsoredMessages', { channelId })).messages[0].views;
  await setMessages({ channelId: before }, 'shared');
  await view();
  await setMessages({ channelId: now }, 'shared');
  expect(await viewsOf(now)).toBe(0);
  await setMessages({ channelId: before });
  expect(await view()).toEqual({ _: 'boolTrue' });
  expect(await viewsOf(now)).toBe(1);
});

it('shows none of a bot that was reset, or that belongs to an account that was', async () => {
  const { workspaceId } = owner;
  const bot = await sandbox.anAccount('Bot', { workspaceId, bot: true });
  const user = await sandbox.anAccount('Account', { workspaceId });
  const bots = [bot.userId, (await sandbox.seeded(user)).botId];
  const ids = Array.from({ length: 50 }, (_, i) => `${i}`);
  for (const botId of bots) await setMessages({ botId }, ...ids.map((id) => `${id} of ${botId}`));
  for (const account of [bot, user]) while (!(await sandbox.order(account, 'resetAccount')).done);
  for (const botId of bots)
    expect(await sandbox.order(owner, 'getSponsoredMessages', { botId })).toMatchObject({ messages: [] });
});
