import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let owner: Account;
let reader: Account;

beforeAll(async () => {
  service = await Service.start();
  const { id } = await service.aWorkspace();
  [owner, reader] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(() => service.stop());

const EMPTY = { _: 'inputPeerEmpty' };

function sponsored(account: Account, peer: object = EMPTY) {
  return service.result(account, 'messages.getSponsoredMessages', { peer });
}

async function furnishedChannel(account: Account) {
  const { chats } = await sponsored(account);
  return { _: 'inputPeerChannel', channelId: chats[0].id, accessHash: chats[0].accessHash };
}

async function refusal(peer: object, more: object = {}): Promise<string> {
  const answer = await service.call(owner, 'messages.getSponsoredMessages', { peer, ...more });
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

it('shows readers what the management call sets, and counts their views and clicks', async () => {
  const url = `/v1/messenger-accounts/${owner.id}/sandbox/sponsored-messages`;
  const before = (await sponsored(owner)).messages[0].randomId;
  const set = await service.ok('PUT', url, {
    postsBetween: 3,
    messages: [{ title: 'New', message: 'Text', url: 'https://example.com/new' }],
  });
  expect(set).toMatchObject({ postsBetween: 3, messages: [{ title: 'New', views: 0, clicks: 0 }] });
  const found = await sponsored(reader, await furnishedChannel(owner));
  expect(found).toMatchObject({ postsBetween: 3, messages: [{ title: 'New', buttonText: 'Open' }] });
  expect(found).not.toHaveProperty('startDelay');
  const { randomId } = found.messages[0];
  expect(await service.result(reader, 'messages.viewSponsoredMessage', { randomId })).toEqual({
    _: 'boolTrue',
  });
  await service.result(reader, 'messages.viewSponsoredMessage', { randomId });
  expect(await service.result(reader, 'messages.clickSponsoredMessage', { randomId })).toEqual({
    _: 'boolTrue',
  });
  expect(await service.result(reader, 'messages.viewSponsoredMessage', { randomId: before })).toEqual({
    _: 'boolFalse',
  });
  expect((await service.ok('GET', url)).messages).toMatchObject([{ views: 2, clicks: 1 }]);
});

it('answers an empty list of the documented type where there are none', async () => {
  const url = `/v1/messenger-accounts/${owner.id}/sandbox/sponsored-messages`;
  await service.ok('PUT', url, { messages: [] });
  expect(await sponsored(owner)).toMatchObject({ _: 'messages.sponsoredMessages', messages: [] });
});

it('sets those of a bot', async () => {
  const bot = await service.anAccount(owner.workspaceId, { bot: true });
  const url = `/v1/messenger-accounts/${owner.id}/sandbox/sponsored-messages`;
  await service.ok('PUT', url, {
    botId: bot.userId,
    messages: [{ title: 'Bot', message: 'Text', url: 'https://example.com/bot' }],
  });
  const found = await sponsored(reader, { _: 'inputPeerUser', userId: bot.userId, accessHash: '0' });
  expect(found).toMatchObject({ messages: [{ title: 'Bot' }], users: [{ id: bot.userId }] });
});

it('refuses a management call that is not well-formed', async () => {
  const url = `/v1/messenger-accounts/${owner.id}/sandbox/sponsored-messages`;
  const message = { title: 'x', message: 'y', url: 'z', colour: 1 };
  const answer = await service.request('PUT', url, { messages: [message] });
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].pointer).toContain('/messages/0');
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
  const strict = await service.anAccount(owner.workspaceId, { strictPeers: true });
  const answer = await service.call(strict, 'messages.getSponsoredMessages', { peer: EMPTY });
  expect(answer.body.code).toBe('PEER_ID_INVALID');
});
