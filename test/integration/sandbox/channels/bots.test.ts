import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { membersKey } from '../../../../workers/sandbox/model/chats/keys.ts';
import { aChannel, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let bot: SandboxAccount;
let idle: SandboxAccount;
let group: TestChannel;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  const more = { workspaceId: ada.workspaceId, bot: true };
  [bot, idle] = [await sandbox.anAccount('Bot', more), await sandbox.anAccount('Idle', more)];
  group = await aChannel(sandbox, ada, { megagroup: true }, bot, idle);
  await sandbox.call(ada, 'channels.editAdmin', {
    channel: group.channel,
    userId: userOf(bot),
    adminRights: { _: 'chatAdminRights', banUsers: true },
    rank: '',
  });
});
afterAll(() => sandbox.close());

const told = async (account: SandboxAccount) =>
  (await sandbox.updates(account)).filter(
    ({ accountId, update }) => accountId === account.id && update._ === 'updateChannelParticipant',
  );

it('tells a bot of what it becomes itself', async () => {
  const [came, rose] = await told(bot);
  expect(came?.update).toMatchObject({
    channelId: group.id,
    actorId: ada.userId,
    userId: bot.userId,
    newParticipant: { _: 'channelParticipantSelf' },
    qts: 1,
  });
  expect(came?.update.prevParticipant).toBeUndefined();
  expect(rose?.update).toMatchObject({
    prevParticipant: { _: 'channelParticipantSelf' },
    newParticipant: { _: 'channelParticipantAdmin', self: true, adminRights: { banUsers: true } },
    qts: 2,
  });
  expect(rose?.users).toMatchObject([{ id: ada.userId }, { id: bot.userId }]);
});

it('says how many such updates a bot has got', async () => {
  const state = await sandbox.call(bot, 'updates.getState');
  expect(state.qts).toBe((await told(bot)).at(-1)?.update.qts);
  const differenceSince = (qts: number) =>
    sandbox.call(bot, 'updates.getDifference', { pts: state.pts, date: state.date + 60, qts });
  const behind = await differenceSince(state.qts - 1);
  expect(behind).toMatchObject({ _: 'updates.difference', newMessages: [], state: { qts: state.qts } });
  expect(await differenceSince(state.qts)).toMatchObject({ _: 'updates.differenceEmpty' });
});

it('tells a bot that is an administrator of everybody else, and nobody else of anybody', async () => {
  const before = (await told(bot)).length;
  const bannedRights = { _: 'chatBannedRights', sendMedia: true, untilDate: 0 };
  const participant = peerOf(bob);
  await sandbox.call(ada, 'channels.inviteToChannel', { channel: group.channel, users: [userOf(bob)] });
  await sandbox.call(ada, 'channels.editBanned', { channel: group.channel, participant, bannedRights });
  await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  const { link } = await sandbox.call(ada, 'messages.exportChatInvite', { peer: group.peer });
  await sandbox.call(bob, 'messages.importChatInvite', { hash: link.split('+')[1] });
  await sandbox.call(ada, 'channels.editBanned', {
    channel: group.channel,
    participant,
    bannedRights: { ...bannedRights, viewMessages: true },
  });
  const seen = (await told(bot)).slice(before).map(({ update }) => update);
  const plain = 'channelParticipant';
  const banned = 'channelParticipantBanned';
  const who = seen.map(({ actorId, prevParticipant, newParticipant }) => [
    actorId === ada.userId ? 'ada' : 'bob',
    prevParticipant?._,
    newParticipant?._,
  ]);
  expect(who).toEqual([
    ['ada', undefined, plain],
    ['ada', plain, banned],
    ['bob', banned, banned],
    ['bob', banned, banned],
    ['ada', banned, banned],
  ]);
  expect(seen.map(({ newParticipant }) => newParticipant.left === true)).toEqual([
    false,
    false,
    true,
    false,
    true,
  ]);
  expect(await told(idle)).toHaveLength(1);
  for (const account of [ada, bob]) expect(await told(account)).toEqual([]);
});

it('tells a bot by which link a user has joined, and the whole of the link only if it is its own', async () => {
  const rights = { adminRights: { _: 'chatAdminRights', inviteUsers: true } };
  const channel = await aChannel(sandbox, ada, { broadcast: true });
  await sandbox.call(ada, 'channels.editAdmin', { ...rights, channel: channel.channel, userId: userOf(bot) });
  const joinBy = async (admin: SandboxAccount) => {
    const { link } = await sandbox.call(admin, 'messages.exportChatInvite', {
      peer: channel.peer,
      title: admin.username,
    });
    await sandbox.call(bob, 'messages.importChatInvite', { hash: link.split('+')[1] });
    const { update, users } = (await told(bot)).at(-1) as { update: { invite: object }; users: object[] };
    await sandbox.call(bob, 'channels.leaveChannel', { channel: channel.channel });
    return { link: link as string, invite: update.invite, users };
  };
  const own = await joinBy(bot);
  expect(own.invite).toMatchObject({ link: own.link, title: bot.username, adminId: bot.userId, usage: 1 });
  const others = await joinBy(ada);
  const shown = (link: string) => link.slice(-12, -4);
  expect(shown(others.link)).not.toBe(shown(own.link));
  const link = `https://t.me/+${shown(others.link)}…`;
  expect(others.invite).toMatchObject({ link, title: ada.username, adminId: ada.userId });
  expect(others.users).toContainEqual(expect.objectContaining({ id: ada.userId }));
  expect((await told(bot)).at(-1)?.update).not.toHaveProperty('invite');
});

it('lets in so many at once as the bots that administrate a group can be told of', async () => {
  const several = (bot: boolean) =>
    Promise.all(
      Array.from({ length: 23 }, () => sandbox.anAccount('New', { workspaceId: ada.workspaceId, bot })),
    );
  const [bots, people] = [await several(true), await several(false)];
  const { id, channel } = await aChannel(sandbox, ada, { megagroup: true });
  const admin = { role: 'admin', date: 1, rights: { _: 'chatAdminRights', other: true } };
  for (const one of bots) {
    await sandbox.letIn(one, id);
    const key = stateKey(ada.workspaceId, membersKey(id));
    await sandbox.redis.hset(key, `${one.userId}`, JSON.stringify(admin));
  }
  const invite = { channel, users: people.map(userOf) };
  expect(await sandbox.refusal(ada, 'channels.inviteToChannel', invite)).toBe('USERS_TOO_MUCH');
  const fitting = people.slice(0, 10);
  await sandbox.call(ada, 'channels.inviteToChannel', { channel, users: fitting.map(userOf) });
  for (const one of bots) expect(await told(one)).toHaveLength(fitting.length);
});

it('tells a bot that it is added to a basic group or removed from it, and nothing of others there', async () => {
  const { updates } = await sandbox.watch(ada, async () => {
    const { chatId } = await sandbox.aGroup(ada, bot);
    const add = (user: SandboxAccount) => ({ chatId, userId: userOf(user), fwdLimit: 0 });
    await sandbox.call(ada, 'messages.addChatUser', add(idle));
    await sandbox.call(ada, 'messages.addChatUser', add(bob));
    await sandbox.call(ada, 'messages.deleteChatUser', { chatId, userId: userOf(idle) });
    await sandbox.call(ada, 'messages.deleteChat', { chatId });
  });
  const heard = updates.filter(({ update }) => update._ === 'updateChatParticipant');
  const member = (user: SandboxAccount) => ({
    _: 'chatParticipant',
    userId: user.userId,
    inviterId: ada.userId,
  });
  expect(
    heard.map(({ accountId, update }) => [accountId, update.prevParticipant, update.newParticipant]),
  ).toMatchObject([
    [bot.id, undefined, member(bot)],
    [idle.id, undefined, member(idle)],
    [idle.id, member(idle), undefined],
    [bot.id, member(bot), undefined],
  ]);
  for (const { update } of heard)
    expect(update).toMatchObject({ actorId: ada.userId, qts: expect.any(Number) });
  expect(heard[0]).toMatchObject({
    users: [{ id: ada.userId }, { id: bot.userId }],
    chats: [{ _: 'chat', id: heard[0]?.update.chatId }],
  });
  const { qts } = await sandbox.call(bot, 'updates.getState');
  expect(heard.at(-1)?.update.qts).toBe(qts);
});
