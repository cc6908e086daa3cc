import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import type { ControlOrder } from '../../../../workers/driver.ts';
import { bansKey, membersKey } from '../../../../workers/sandbox/model/chats/keys.ts';
import { DUE } from '../../../../workers/sandbox/model/common/due.ts';
import { aChannel, inputOf, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { doAllDue } from '../../../support/sandbox/do-later.ts';
import { aRandomId, peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let cleo: SandboxAccount;
let dan: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  [cleo, dan] = (await Promise.all(
    ['Cleo', 'Dan'].map((name) => sandbox.anAccount(name, { workspaceId: ada.workspaceId })),
  )) as [SandboxAccount, SandboxAccount];
});
afterAll(() => sandbox.close());

const promoting = ({ channel }: TestChannel, user: SandboxAccount, rights: object, rank?: string) => ({
  channel,
  userId: userOf(user),
  adminRights: { _: 'chatAdminRights', ...rights },
  ...(rank === undefined ? {} : { rank }),
});
const banning = ({ channel }: TestChannel, user: SandboxAccount, rights: object, untilDate = 0) => ({
  channel,
  participant: peerOf(user),
  bannedRights: { _: 'chatBannedRights', ...rights, untilDate },
});
const promote = (by: SandboxAccount, ...of: Parameters<typeof promoting>) =>
  sandbox.call(by, 'channels.editAdmin', promoting(...of));
const ban = (by: SandboxAccount, ...of: Parameters<typeof banning>) =>
  sandbox.call(by, 'channels.editBanned', banning(...of));
const refusedToPromote = (by: SandboxAccount, ...of: Parameters<typeof promoting>) =>
  sandbox.refusal(by, 'channels.editAdmin', promoting(...of));
const refusedToBan = (by: SandboxAccount, ...of: Parameters<typeof banning>) =>
  sandbox.refusal(by, 'channels.editBanned', banning(...of));
const refusedToSend = (account: SandboxAccount, { peer }: TestChannel) =>
  sandbox.refusal(account, 'messages.sendMessage', { peer, message: 'Hello', randomId: aRandomId() });

async function participant(by: SandboxAccount, { channel }: TestChannel, user: SandboxAccount) {
  return (await sandbox.call(by, 'channels.getParticipant', { channel, participant: peerOf(user) }))
    .participant;
}

async function participants(by: SandboxAccount, { channel }: TestChannel, filter: object, more: object = {}) {
  const params = { channel, filter, offset: 0, limit: 100, hash: '0', ...more };
  return sandbox.call(by, 'channels.getParticipants', params);
}

it('keeps out who was banned, until the ban is lifted', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo);
  await sandbox.call(ada, 'channels.updateUsername', { channel: group.channel, username: `out_${group.id}` });
  const done = await ban(ada, group, bob, { viewMessages: true });
  expect(done.updates).toMatchObject([
    { _: 'updateChannel' },
    { message: { action: { _: 'messageActionChatDeleteUser', userId: bob.userId } } },
  ]);
  expect((await sandbox.updatesOf(bob)).at(-1)).toEqual({ _: 'updateChannel', channelId: group.id });
  const { chats } = await sandbox.call(bob, 'channels.getChannels', { id: [group.channel] });
  expect(chats).toMatchObject([{ _: 'channelForbidden', id: group.id }]);
  for (const method of ['joinChannel', 'leaveChannel', 'getFullChannel'])
    expect(await sandbox.refusal(bob, `channels.${method}`, { channel: group.channel })).toBe(
      'CHANNEL_PRIVATE',
    );
  expect(await refusedToSend(bob, group)).toBe('CHANNEL_PRIVATE');
  const inviting = { channel: group.channel, users: [userOf(bob)] };
  expect(await sandbox.refusal(cleo, 'channels.inviteToChannel', inviting)).toBe('USER_KICKED');
  expect(await participant(ada, group, bob)).toMatchObject({
    _: 'channelParticipantBanned',
    left: true,
    kickedBy: ada.userId,
    bannedRights: { viewMessages: true, untilDate: 0 },
  });
  expect(await participants(ada, group, { _: 'channelParticipantsKicked', q: '' })).toMatchObject({
    count: 1,
    participants: [{ peer: { userId: bob.userId } }],
  });
  await ban(ada, group, bob, {});
  await sandbox.call(bob, 'channels.joinChannel', { channel: group.channel });
  await sandbox.send(bob, group.peer, 'Back');
  expect((await participants(ada, group, { _: 'channelParticipantsKicked', q: 'b' })).count).toBe(0);
});

it('keeps from members what they were forbidden, and no more', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await ban(ada, group, bob, { sendMessages: true });
  expect(await refusedToSend(bob, group)).toBe('USER_BANNED_IN_CHANNEL');
  await ban(ada, group, bob, { sendPlain: true });
  expect(await refusedToSend(bob, group)).toBe('CHAT_SEND_PLAIN_FORBIDDEN');
  await sandbox.sendFile(bob, group.peer, 'voice');
  const kinds = { voice: 'VOICES', round: 'ROUNDVIDEOS', video: 'VIDEOS', document: 'DOCS' } as const;
  for (const [kind, name] of Object.entries(kinds)) {
    const right = `send${name[0]}${name.slice(1).toLowerCase()}`;
    await ban(ada, group, bob, { [right]: true });
    await expect(sandbox.sendFile(bob, group.peer, kind as keyof typeof kinds)).rejects.toMatchObject({
      code: `CHAT_SEND_${name}_FORBIDDEN`,
    });
    await sandbox.send(bob, group.peer, 'Hello');
  }
  await ban(ada, group, bob, { sendMedia: true, inviteUsers: true });
  await expect(sandbox.sendFile(bob, group.peer, 'video')).rejects.toMatchObject({
    code: 'CHAT_SEND_MEDIA_FORBIDDEN',
  });
  const inviting = { channel: group.channel, users: [userOf(cleo)] };
  expect(await sandbox.refusal(bob, 'channels.inviteToChannel', inviting)).toBe('USER_BANNED_IN_CHANNEL');
  expect(await participants(ada, group, { _: 'channelParticipantsBanned', q: 'bo' })).toMatchObject({
    count: 1,
    participants: [{ _: 'channelParticipantBanned', left: false, bannedRights: { sendMedia: true } }],
  });
  const { fullChat } = await sandbox.call(ada, 'channels.getFullChannel', { channel: group.channel });
  expect(fullChat).toMatchObject({ kickedCount: 0, bannedCount: 1, adminsCount: 1 });
  const { chats } = await sandbox.call(bob, 'channels.getChannels', { id: [group.channel] });
  expect(chats[0].bannedRights).toMatchObject({ sendMedia: true, inviteUsers: true });
  // Who leaves and comes back is still restricted.
  await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  await sandbox.call(ada, 'channels.inviteToChannel', { channel: group.channel, users: [userOf(bob)] });
  await expect(sandbox.sendFile(bob, group.peer, 'video')).rejects.toMatchObject({
    code: 'CHAT_SEND_MEDIA_FORBIDDEN',
  });
});

it('tells who was banned until when', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const until = Math.floor(Date.now() / 1_000) + 3_600;
  const { updates } = await sandbox.watch(ada, () => ban(ada, group, bob, { viewMessages: true }, until));
  const told = updates.filter(({ accountId }) => accountId === bob.id).at(-1);
  expect(told?.chats).toMatchObject([{ _: 'channelForbidden', untilDate: until }]);
  const { chats } = await sandbox.call(bob, 'channels.getChannels', { id: [group.channel] });
  expect(chats).toMatchObject([{ _: 'channelForbidden', untilDate: until }]);
});

it('lets bans end by themselves', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const now = Math.floor(Date.now() / 1_000);
  await ban(ada, group, bob, { sendMessages: true }, now + 3_600);
  expect(await participant(ada, group, bob)).toMatchObject({ bannedRights: { untilDate: now + 3_600 } });
  const key = stateKey(ada.workspaceId, `members:${group.id}`);
  const member = (await sandbox.redis.hget(key, String(bob.userId))) as string;
  await sandbox.redis.hset(key, String(bob.userId), member.replace(String(now + 3_600), String(now - 1)));
  await sandbox.send(bob, group.peer, 'Hello again');
  await ban(ada, group, bob, { sendMessages: true }, now + 5);
  expect(await participant(ada, group, bob)).toMatchObject({ bannedRights: { untilDate: 0 } });
});

it('lists and shows bans no longer once they have ended', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo);
  await sandbox.call(ada, 'channels.updateUsername', { channel: group.channel, username: `end_${group.id}` });
  const until = Math.floor(Date.now() / 1_000) + 3_600;
  await ban(ada, group, bob, { viewMessages: true }, until);
  await ban(ada, group, cleo, { sendMedia: true }, until);
  const listed = async () => {
    const kinds = ['channelParticipantsKicked', 'channelParticipantsBanned'];
    const lists = await Promise.all(kinds.map((_) => participants(ada, group, { _, q: '' })));
    return lists.map(({ count, participants: all }) => [count, all.length]);
  };
  expect(await listed()).toEqual([
    [1, 1],
    [1, 1],
  ]);
  await passTime(group, until, bob, cleo);
  expect(await listed()).toEqual([
    [0, 0],
    [0, 0],
  ]);
  const { participants: recent } = await participants(ada, group, { _: 'channelParticipantsRecent' });
  expect(recent.map(({ _ }: { _: string }) => _)).not.toContain('channelParticipantBanned');
  await sandbox.call(bob, 'channels.joinChannel', { channel: group.channel });
  expect(await participant(ada, group, bob)).toMatchObject({ _: 'channelParticipant' });
  await doAllDue(sandbox, ada);
  const { fullChat } = await sandbox.call(ada, 'channels.getFullChannel', { channel: group.channel });
  expect(fullChat).toMatchObject({ kickedCount: 0, bannedCount: 0 });
  for (const member of [bob, cleo]) {
    const { chats } = await sandbox.call(member, 'channels.getChannels', { id: [group.channel] });
    expect(chats[0]).not.toHaveProperty('bannedRights');
  }
});

it('keeps a ban that was set again before it ended', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const until = Math.floor(Date.now() / 1_000) + 3_600;
  await ban(ada, group, bob, { sendMessages: true }, until);
  await ban(ada, group, bob, { sendMessages: true });
  await passTime(group, until, bob);
  await doAllDue(sandbox, ada);
  expect(await refusedToSend(bob, group)).toBe('USER_BANNED_IN_CHANNEL');
});

it('ends a ban that was set again while it was about to be lifted', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const until = Math.floor(Date.now() / 1_000) + 3_600;
  await ban(ada, group, bob, { sendMessages: true }, until);
  await passTime(group, until, bob);
  afterScoreInOrder('doDueWork', () => ban(ada, group, bob, { sendMessages: true }, until + 1));
  await sandbox.order(ada, 'doDueWork');
  expect(await refusedToSend(bob, group)).toBe('USER_BANNED_IN_CHANNEL');
  await passTime(group, until + 1, bob);
  await doAllDue(sandbox, ada);
  expect((await participants(ada, group, { _: 'channelParticipantsBanned', q: '' })).count).toBe(0);
  const { fullChat } = await sandbox.call(ada, 'channels.getFullChannel', { channel: group.channel });
  expect(fullChat).toMatchObject({ bannedCount: 0 });
});

/** Does something once, right after an order has looked up a score. */
function afterScoreInOrder(name: string, act: () => Promise<unknown>): void {
  const orders = sandbox.driver.orders as Map<string, ControlOrder>;
  const order = orders.get(name) as ControlOrder;
  orders.set(name, (payload, call) => {
    orders.set(name, order);
    const { read } = call.tx;
    const score = async (...given: Parameters<typeof read.zscore>) => {
      const found = await read.zscore(...given);
      await act();
      return found;
    };
    const reading = { ...read, zscore: score as typeof read.zscore };
    return order(payload, { ...call, tx: Object.assign(call.tx, { read: reading }) });
  });
}

/** Makes bans of users that end at a date end now. */
async function passTime({ id }: TestChannel, until: number, ...users: SandboxAccount[]) {
  const past = Math.floor(Date.now() / 1_000) - 1;
  for (const { workspaceId, userId } of users) {
    for (const name of [bansKey(id), membersKey(id)]) {
      const raw = await sandbox.redis.hget(stateKey(workspaceId, name), String(userId));
      const ended = raw?.replaceAll(String(until), String(past));
      if (ended !== undefined) await sandbox.redis.hset(stateKey(workspaceId, name), String(userId), ended);
    }
    await sandbox.redis.zadd(stateKey(workspaceId, DUE), 'XX', past, `ban:${id}:${userId}`);
  }
}

it('lets administrators do what they may, and no more', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo);
  await sandbox.send(cleo, group.peer, 'Of Cleo');
  const [{ id }] = await sandbox.history(ada, group.peer);
  const deleting = { channel: group.channel, id: [id] };
  await promote(ada, group, bob, { changeInfo: true, banUsers: true }, 'Helper');
  expect((await sandbox.updatesOf(bob)).at(-1)).toEqual({ _: 'updateChannel', channelId: group.id });
  expect(await participant(cleo, group, bob)).toMatchObject({
    _: 'channelParticipantAdmin',
    canEdit: false,
    promotedBy: ada.userId,
    rank: 'Helper',
  });
  expect(await participant(bob, group, bob)).toMatchObject({ self: true, inviterId: ada.userId });
  expect(await sandbox.refusal(bob, 'channels.deleteMessages', deleting)).toBe('MESSAGE_DELETE_FORBIDDEN');
  expect(await refusedToPromote(bob, group, cleo, { changeInfo: true })).toBe('CHAT_ADMIN_REQUIRED');
  await sandbox.call(bob, 'channels.editTitle', { channel: group.channel, title: 'By Bob' });
  expect(await refusedToBan(bob, group, ada, { viewMessages: true })).toBe('USER_ADMIN_INVALID');
  expect(await refusedToBan(cleo, group, bob, { viewMessages: true })).toBe('CHAT_ADMIN_REQUIRED');
  await ban(bob, group, cleo, { sendMessages: true });

  await promote(ada, group, bob, { deleteMessages: true, addAdmins: true });
  await sandbox.call(bob, 'channels.deleteMessages', deleting);
  const rename = { channel: group.channel, title: 'Again' };
  expect(await sandbox.refusal(bob, 'channels.editTitle', rename)).toBe('CHAT_ADMIN_REQUIRED');
  expect(await refusedToPromote(bob, group, cleo, { banUsers: true })).toBe('RIGHT_FORBIDDEN');
  // An administrator is restricted no longer.
  await promote(bob, group, cleo, { deleteMessages: true });
  await sandbox.send(cleo, group.peer, 'Free');
  const admins = await participants(cleo, group, { _: 'channelParticipantsAdmins' });
  expect(admins.participants.map(({ _ }: { _: string }) => _).toSorted()).toEqual([
    'channelParticipantAdmin',
    'channelParticipantAdmin',
    'channelParticipantCreator',
  ]);
  // One who is restricted is an administrator no longer.
  await ban(ada, group, bob, { sendMessages: true });
  expect(await participant(ada, group, bob)).toMatchObject({ _: 'channelParticipantBanned', left: false });
  await promote(ada, group, cleo, {});
  expect(await participant(ada, group, cleo)).toMatchObject({ _: 'channelParticipant' });
});

it('keeps the rank of a member whose rights change, unless another is given', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo);
  const rankOf = async (user: SandboxAccount) => (await participant(ada, group, user)).rank;
  await promote(ada, group, bob, { banUsers: true }, 'Helper');
  await promote(ada, group, bob, { deleteMessages: true });
  expect(await rankOf(bob)).toBe('Helper');
  await promote(ada, group, bob, {});
  expect(await rankOf(bob)).toBe('Helper');
  await promote(ada, group, bob, { banUsers: true }, '');
  expect(await rankOf(bob)).toBeUndefined();
  const named = { peer: group.peer, participant: peerOf(cleo), rank: 'Cook' };
  await sandbox.call(ada, 'messages.editChatParticipantRank', named);
  await ban(ada, group, cleo, { sendMedia: true });
  expect(await rankOf(cleo)).toBe('Cook');
  await ban(ada, group, cleo, {});
  expect(await rankOf(cleo)).toBe('Cook');
});

it('lets an administrator add users where every member may', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await promote(ada, group, bob, { deleteMessages: true });
  const inviting = (user: SandboxAccount) => ({ channel: group.channel, users: [userOf(user)] });
  await sandbox.call(bob, 'channels.inviteToChannel', inviting(cleo));
  expect(await participant(bob, group, cleo)).toMatchObject({ userId: cleo.userId });
  const bannedRights = { _: 'chatBannedRights', inviteUsers: true, untilDate: 0 };
  await sandbox.call(ada, 'messages.editChatDefaultBannedRights', { peer: group.peer, bannedRights });
  expect(await sandbox.refusal(bob, 'channels.inviteToChannel', inviting(dan))).toBe('CHAT_ADMIN_REQUIRED');
});

it('restricts nobody any longer who comes back as an administrator', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await ban(ada, group, bob, { sendMessages: true });
  await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  await promote(ada, group, bob, { deleteMessages: true });
  expect(await participant(bob, group, bob)).toMatchObject({ _: 'channelParticipantAdmin' });
  await sandbox.send(bob, group.peer, 'Free');
  const { count } = await participants(ada, group, { _: 'channelParticipantsBanned', q: '' });
  expect(count).toBe(0);
});

it('lets an administrator of a channel post and edit where it may', async () => {
  const news = await aChannel(sandbox, ada, { broadcast: true }, bob);
  await sandbox.send(ada, news.peer, 'First');
  const editing = { peer: news.peer, id: 2, message: 'Edited' };
  await promote(ada, news, bob, { editMessages: true });
  expect(await refusedToSend(bob, news)).toBe('CHAT_ADMIN_REQUIRED');
  await sandbox.call(bob, 'messages.editMessage', editing);
  await promote(ada, news, bob, { postMessages: true });
  await sandbox.send(bob, news.peer, 'Second');
  const again = { ...editing, message: 'Again' };
  expect(await sandbox.refusal(bob, 'messages.editMessage', again)).toBe('MESSAGE_AUTHOR_REQUIRED');
  expect(await refusedToBan(ada, news, cleo, { sendMessages: true })).toBe('BANNED_RIGHTS_INVALID');
});

it('makes administrators of who was no member, and refuses what makes none', async () => {
  const news = await aChannel(sandbox, ada, { broadcast: true });
  const { botId } = await sandbox.seeded(ada);
  const bot = { ...bob, userId: botId };
  await promote(ada, news, bot, { postMessages: true });
  expect((await participants(ada, news, { _: 'channelParticipantsBots' })).count).toBe(1);
  await promote(ada, news, bob, { addAdmins: true });
  expect(await refusedToPromote(bob, news, cleo, { addAdmins: true })).toBe('CHAT_ADMIN_INVITE_REQUIRED');
  expect(await refusedToPromote(bob, news, bot, {})).toBe('CHAT_ADMIN_REQUIRED');
  expect(await refusedToPromote(bob, news, ada, { addAdmins: true })).toBe('USER_CREATOR');
  expect(await refusedToPromote(ada, news, cleo, {})).toBe('USER_ID_INVALID');
  expect(await refusedToPromote(ada, news, cleo, { other: true }, 'x'.repeat(17))).toBe('ADMIN_RANK_INVALID');
  for (const rank of ['Boss 👑', '🇩🇪', 'No. 1️⃣'])
    expect(await refusedToPromote(ada, news, cleo, { other: true }, rank)).toBe(
      'ADMIN_RANK_EMOJI_NOT_ALLOWED',
    );
  await promote(ada, news, ada, {}, 'Founder™ 1');
  expect(await participant(ada, news, ada)).toMatchObject({
    _: 'channelParticipantCreator',
    rank: 'Founder™ 1',
  });
  await ban(ada, news, cleo, { viewMessages: true });
  expect(await refusedToPromote(ada, news, cleo, { postMessages: true })).toBe('USER_KICKED');
});

it('has at most 50 administrators', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const key = stateKey(ada.workspaceId, `members:${group.id}`);
  const admin = JSON.stringify({ role: 'admin', date: 1, rights: { _: 'chatAdminRights', other: true } });
  for (let n = 1; n <= 50; n += 1) await sandbox.redis.hset(key, String(n), admin);
  expect(await refusedToPromote(ada, group, bob, { other: true })).toBe('ADMINS_TOO_MUCH');
  // It takes nobody's place to make an ordinary member of one.
  await promote(ada, group, bob, {});
  await sandbox.redis.hdel(key, '1');
  await promote(ada, group, bob, { other: true });
});

it('lists members in pages, by kind and by name, to those who may see them', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo, dan);
  const ids = ({ participants: all }: { participants: { userId: number }[] }) =>
    all.map(({ userId }) => userId);
  const recent = { _: 'channelParticipantsRecent' };
  const whole = await participants(bob, group, recent);
  expect(whole.count).toBe(4);
  const pages = await Promise.all(
    [0, 1, 2, 3].map((offset) => participants(bob, group, recent, { offset, limit: 1 })),
  );
  expect(pages.flatMap(ids)).toEqual(ids(whole));
  expect(ids(await participants(bob, group, { _: 'channelParticipantsSearch', q: 'CLE' }))).toEqual([
    cleo.userId,
  ]);
  expect(whole.participants.find(({ userId }: { userId: number }) => userId === bob.userId)).toMatchObject({
    _: 'channelParticipantSelf',
    inviterId: ada.userId,
  });
  const names = { firstName: 'Dan', lastName: '', phone: '' };
  await sandbox.call(bob, 'contacts.addContact', { id: userOf(dan), ...names });
  expect(ids(await participants(bob, group, { _: 'channelParticipantsContacts', q: '' }))).toEqual([
    dan.userId,
  ]);
  const kicked = { channel: group.channel, filter: { _: 'channelParticipantsKicked', q: '' }, ...PAGE };
  expect(await sandbox.refusal(bob, 'channels.getParticipants', kicked)).toBe('CHAT_ADMIN_REQUIRED');
  expect(
    await sandbox.refusal(bob, 'channels.getParticipants', { ...kicked, filter: recent, limit: -1 }),
  ).toBe('LIMIT_INVALID');

  const news = await aChannel(sandbox, ada, { broadcast: true }, bob);
  const readers = { channel: news.channel, filter: recent, ...PAGE };
  expect(await sandbox.refusal(bob, 'channels.getParticipants', readers)).toBe('CHAT_ADMIN_REQUIRED');
  const other = { channel: news.channel, participant: peerOf(ada) };
  expect(await sandbox.refusal(bob, 'channels.getParticipant', other)).toBe('CHAT_ADMIN_REQUIRED');
  expect(await participant(bob, news, bob)).toMatchObject({ _: 'channelParticipantSelf' });
  expect(await sandbox.refusal(ada, 'channels.getParticipant', { ...other, participant: peerOf(cleo) })).toBe(
    'USER_NOT_PARTICIPANT',
  );
  expect(await sandbox.refusal(ada, 'channels.getParticipant', { ...other, participant: news.peer })).toBe(
    'PARTICIPANT_ID_INVALID',
  );
});

const PAGE = { offset: 0, limit: 10, hash: '0' };

it('says to readers of a channel and writers to a monoforum nothing of who administers it', async () => {
  const bot = await sandbox.anAccount('Bot', { workspaceId: ada.workspaceId, bot: true });
  const full = async (by: SandboxAccount, channel: object) =>
    sandbox.call(by, 'channels.getFullChannel', { channel });
  const news = await aChannel(sandbox, ada, { broadcast: true }, bob);
  await promote(ada, news, bot, { postMessages: true });
  expect((await full(ada, news.channel)).fullChat.botInfo).toMatchObject([{ userId: bot.userId }]);
  expect(await full(bob, news.channel)).toMatchObject({ fullChat: { botInfo: [] }, users: [] });
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob, bot);
  expect(await full(bob, group.channel)).toMatchObject({ users: [{ id: bot.userId, bot: true }] });

  const monoforum = inputOf((await sandbox.seeded(ada)).monoforumId);
  expect((await full(ada, monoforum)).fullChat.canViewParticipants).toBe(true);
  expect((await full(bob, monoforum)).fullChat.canViewParticipants).toBe(false);
  const administrator = { channel: monoforum, participant: peerOf(ada) };
  expect(await sandbox.refusal(bob, 'channels.getParticipant', administrator)).toBe('CHAT_ADMIN_REQUIRED');
});

it('finds a member by each of its names, and by those that the account has given it', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo);
  await sandbox.call(cleo, 'account.updateProfile', { lastName: 'de Lovelace' });
  const named = { firstName: 'Aunt', lastName: 'Clementine', phone: '' };
  await sandbox.call(bob, 'contacts.addContact', { id: userOf(cleo), ...named });
  const found = async (by: SandboxAccount, q: string) =>
    (await participants(by, group, { _: 'channelParticipantsSearch', q })).participants.map(
      ({ userId }: { userId: number }) => userId,
    );
  for (const q of ['love', 'Cleo de L', 'de Lovelace', cleo.username])
    expect([q, await found(ada, q)]).toEqual([q, [cleo.userId]]);
  for (const q of ['Clem', 'aunt clementine', 'love'])
    expect([q, await found(bob, q)]).toEqual([q, [cleo.userId]]);
  expect(await found(ada, 'Clem')).toEqual([]);
});

it('finds no deleted member by the name that it had', async () => {
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const group = await aChannel(sandbox, ada, { megagroup: true }, eve);
  const search = { _: 'channelParticipantsSearch', q: 'eve' };
  expect((await participants(ada, group, search)).count).toBe(1);
  await sandbox.order(eve, 'disconnectAccount');
  expect((await participants(ada, group, search)).count).toBe(0);
  expect((await participants(ada, group, { ...search, q: '' })).count).toBe(2);
});

it('pages through as many as were banned', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true });
  const banned = JSON.stringify({
    rights: { _: 'chatBannedRights', viewMessages: true, untilDate: 0 },
    kickedBy: ada.userId,
    date: 1,
  });
  for (let n = 0; n < 250; n += 1) {
    await sandbox.redis.hset(stateKey(ada.workspaceId, `bans:${group.id}`), String(bob.userId + n), banned);
    await sandbox.redis.zadd(stateKey(ada.workspaceId, `kicked:${group.id}`), n, bob.userId + n);
  }
  const kicked = (q: string, more: object = {}) =>
    participants(ada, group, { _: 'channelParticipantsKicked', q }, more);
  const page = await kicked('', { offset: 200, limit: 100 });
  expect([page.count, page.participants.length]).toEqual([250, 50]);
  expect(page.participants.at(-1)).toMatchObject({ peer: { userId: bob.userId } });
  // Bob was banned first, and by name the 200 newest are looked through.
  expect((await kicked('bob')).count).toBe(0);
  const { fullChat } = await sandbox.call(ada, 'channels.getFullChannel', { channel: group.channel });
  expect(fullChat.kickedCount).toBe(250);
});

it('lets nobody edit or delete a post who may no longer post, nor edit a message who may no longer write', async () => {
  const news = await aChannel(sandbox, ada, { broadcast: true }, bob);
  await promote(ada, news, bob, { postMessages: true });
  await sandbox.send(bob, news.peer, 'News');
  const { id } = await sandbox.newest(bob, news.peer);
  const edit = { peer: news.peer, id, message: 'Other news' };
  await sandbox.call(bob, 'messages.editMessage', edit);
  await promote(ada, news, bob, {});
  expect(await sandbox.refusal(bob, 'messages.editMessage', { ...edit, message: 'More news' })).toBe(
    'CHAT_ADMIN_REQUIRED',
  );
  const deleting = { channel: news.channel, id: [id] };
  expect(await sandbox.refusal(bob, 'channels.deleteMessages', deleting)).toBe('MESSAGE_DELETE_FORBIDDEN');

  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await sandbox.call(ada, 'channels.updateUsername', {
    channel: group.channel,
    username: `edit_${group.id}`,
  });
  await sandbox.send(bob, group.peer, 'Hello');
  const said = { peer: group.peer, id: (await sandbox.newest(bob, group.peer)).id, message: 'Hello again' };
  await ban(ada, group, bob, { sendMessages: true });
  expect(await sandbox.refusal(bob, 'messages.editMessage', said)).toBe('USER_BANNED_IN_CHANNEL');
  await ban(ada, group, bob, {});
  await sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  expect(await sandbox.refusal(bob, 'messages.editMessage', said)).toBe('CHAT_WRITE_FORBIDDEN');
});
