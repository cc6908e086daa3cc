import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let owner: Account;
let reader: Account;
let url: string;

beforeAll(async () => {
  service = await Service.start();
  const { id } = await service.aWorkspace();
  [owner, reader] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  url = `/v1/messenger-accounts/${owner.id}/sandbox/sponsored-messages`;
});

afterAll(() => service.stop());

function sponsored(account: Account, peer: object = { _: 'inputPeerEmpty' }) {
  return service.result(account, 'messages.getSponsoredMessages', { peer });
}

it('readers see what is set for a channel, and their views and clicks are counted', async () => {
  const { chats, messages } = await sponsored(owner);
  const [before] = messages;
  const set = await service.ok('PUT', url, {
    postsBetween: 3,
    messages: [{ title: 'New', message: 'Text', url: 'https://example.com/new' }],
  });
  expect(set).toMatchObject({ postsBetween: 3, messages: [{ title: 'New', views: 0, clicks: 0 }] });
  const { id, accessHash } = chats[0];
  const found = await sponsored(reader, { _: 'inputPeerChannel', channelId: id, accessHash });
  expect(found).toMatchObject({ postsBetween: 3, messages: [{ title: 'New', buttonText: 'Open' }] });
  expect(found).not.toHaveProperty('startDelay');
  const { randomId } = found.messages[0];
  const view = (of: string) => service.result(reader, 'messages.viewSponsoredMessage', { randomId: of });
  expect(await view(randomId)).toEqual({ _: 'boolTrue' });
  await view(randomId);
  expect(await service.result(reader, 'messages.clickSponsoredMessage', { randomId })).toEqual({
    _: 'boolTrue',
  });
  expect(await view(before.randomId)).toEqual({ _: 'boolFalse' });
  expect((await service.ok('GET', url)).messages).toMatchObject([{ views: 2, clicks: 1 }]);
});

it('an empty list of the documented type is the answer where there are none', async () => {
  await service.ok('PUT', url, { messages: [] });
  expect(await sponsored(owner)).toMatchObject({ _: 'messages.sponsoredMessages', messages: [] });
});

it('those of a bot can be set', async () => {
  const bot = await service.anAccount(owner.workspaceId, { bot: true });
  await service.ok('PUT', url, {
    botId: bot.userId,
    messages: [{ title: 'Bot', message: 'Text', url: 'https://example.com/bot' }],
  });
  const found = await sponsored(reader, { _: 'inputPeerUser', userId: bot.userId, accessHash: '0' });
  expect(found).toMatchObject({ messages: [{ title: 'Bot' }], users: [{ id: bot.userId }] });
});

it('as many and as long ones as there may be are set', async () => {
  const message = {
    title: 'Long',
    message: 'x'.repeat(1_000),
    url: `https://example.com/${'y'.repeat(1_900)}`,
  };
  const additionalInfo = 'z'.repeat(4_000);
  const messages = Array.from({ length: 50 }, () => ({ ...message, additionalInfo }));
  expect((await service.ok('PUT', url, { messages })).messages).toHaveLength(50);
});

it.each([
  ['channelId=0x5', '/channelId'],
  ['channelId=', '/channelId'],
  ['channelId=5&channelId=5', '/channelId'],
  ['channelId=99999999999999999', '/channelId'],
  ['channelId=5&botId=5', '/botId'],
])('?%s is an invalid query', async (query, pointer) => {
  const answer = await service.request('GET', `${url}?${query}`);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query', errors: [{ pointer }] } });
});

it('what is not well-formed is refused', async () => {
  const message = { title: 'x', message: 'y', url: 'z', colour: 1 };
  const answer = await service.request('PUT', url, { messages: [message] });
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].pointer).toContain('/messages/0');
});
