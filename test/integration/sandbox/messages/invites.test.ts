import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let cleo: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
});
afterAll(() => sandbox.close());

const SELF = { _: 'inputUserSelf' };

async function aLink(by: SandboxAccount, peer: object, more: object = {}) {
  const invite = await sandbox.call(by, 'messages.exportChatInvite', { peer, ...more });
  return { invite, hash: (invite.link as string).split('+')[1] as string };
}

const check = (by: SandboxAccount, hash: string) => sandbox.call(by, 'messages.checkChatInvite', { hash });
const join = (by: SandboxAccount, hash: string) => sandbox.call(by, 'messages.importChatInvite', { hash });
const refusedToJoin = (by: SandboxAccount, hash: string) =>
  sandbox.refusal(by, 'messages.importChatInvite', { hash });

it('lets others into a supergroup by a link, and counts them', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true, about: 'Friends' });
  const { invite, hash } = await aLink(ada, group.peer, { title: 'For two', usageLimit: 1 });
  expect(invite).toMatchObject({ adminId: ada.userId, title: 'For two', usageLimit: 1, revoked: false });
  expect(await check(bob, hash)).toMatchObject({
    _: 'chatInvite',
    megagroup: true,
    title: 'Channel',
    about: 'Friends',
    participantsCount: 1,
  });
  const { updates } = await join(bob, hash);
  const action = { _: 'messageActionChatJoinedByLink', inviterId: ada.userId };
  expect(updates).toMatchObject({
    updates: [{}, { message: { action } }],
    chats: [{ id: group.id, left: false }],
  });
  expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({
    message: { action, fromId: { userId: bob.userId } },
  });
  expect(await check(bob, hash)).toMatchObject({ _: 'chatInviteAlready', chat: { id: group.id } });
  expect(await refusedToJoin(cleo, hash)).toBe('INVITE_HASH_EXPIRED');
  const { invites } = await sandbox.call(ada, 'messages.getExportedChatInvites', {
    peer: group.peer,
    adminId: SELF,
    limit: 10,
  });
  expect(invites).toMatchObject([{ permanent: true }, { link: invite.link, usage: 1 }]);
});

it('lets others into a basic group by a link', async () => {
  const group = await sandbox.aGroup(ada, bob);
  expect(await sandbox.refusal(bob, 'messages.exportChatInvite', { peer: group })).toBe(
    'CHAT_ADMIN_REQUIRED',
  );
  const { hash } = await aLink(ada, group);
  expect(await check(cleo, hash)).toMatchObject({ title: 'Group', participantsCount: 2, channel: false });
  await sandbox.call(ada, 'messages.editChatAbout', { peer: group, about: 'Friends' });
  expect(await check(cleo, hash)).toMatchObject({ title: 'Group', about: 'Friends' });
  await join(cleo, hash);
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({
    message: { action: { _: 'messageActionChatJoinedByLink', inviterId: ada.userId } },
  });
  expect(await refusedToJoin(cleo, hash)).toBe('USER_ALREADY_PARTICIPANT');
  await sandbox.send(cleo, group, 'Hello');
});

it('lets nobody in by a link that has ended, is none, or is kept from them', async () => {
  const news = await aChannel(sandbox, ada, { broadcast: true }, bob);
  const { invite, hash } = await aLink(ada, news.peer);
  expect(await refusedToJoin(cleo, '')).toBe('INVITE_HASH_EMPTY');
  expect(await refusedToJoin(cleo, 'x'.repeat(22))).toBe('INVITE_HASH_INVALID');
  expect(await refusedToJoin(cleo, `${hash}x`)).toBe('INVITE_HASH_INVALID');
  const other = hash.endsWith('A') ? 'Q' : 'A';
  expect(await refusedToJoin(cleo, hash.slice(0, -1) + other)).toBe('INVITE_HASH_EXPIRED');
  await sandbox.call(ada, 'channels.editBanned', {
    channel: news.channel,
    participant: peerOf(cleo),
    bannedRights: { _: 'chatBannedRights', viewMessages: true, untilDate: 0 },
  });
  expect(await refusedToJoin(cleo, hash)).toBe('INVITE_HASH_EXPIRED');
  const revoking = { peer: news.peer, link: invite.link, revoked: true };
  expect(await sandbox.refusal(bob, 'messages.editExportedChatInvite', revoking)).toBe('CHAT_ADMIN_REQUIRED');
  const revoked = await sandbox.call(ada, 'messages.editExportedChatInvite', revoking);
  expect(revoked.invite).toMatchObject({ link: invite.link, revoked: true });
  const dan = await sandbox.anAccount('Dan', { workspaceId: ada.workspaceId });
  expect(await refusedToJoin(dan, hash)).toBe('INVITE_HASH_EXPIRED');
  expect(await sandbox.refusal(ada, 'messages.editExportedChatInvite', revoking)).toBe('INVITE_HASH_EXPIRED');
});

it('loses a title and limits that are changed to nothing, and keeps the others', async () => {
  const news = await aChannel(sandbox, ada, { broadcast: true });
  const expireDate = Math.floor(Date.now() / 1_000) + 3_600;
  const limits = { title: 'Friends', expireDate, usageLimit: 1 };
  const { invite } = await aLink(ada, news.peer, limits);
  const edit = async (more: object) => {
    const params = { peer: news.peer, link: invite.link, ...more };
    const changed = (await sandbox.call(ada, 'messages.editExportedChatInvite', params)).invite;
    return { title: changed.title, expireDate: changed.expireDate, usageLimit: changed.usageLimit };
  };
  expect(await edit({})).toEqual(limits);
  expect(await edit({ usageLimit: 0 })).toEqual({ title: 'Friends', expireDate });
  expect(await edit({ title: '' })).toEqual({ expireDate });
  expect(await edit({ expireDate: 0, usageLimit: 2 })).toEqual({ usageLimit: 2 });
});

it('has one permanent link of each administrator, and bounds what links are given', async () => {
  const news = await aChannel(sandbox, ada, { broadcast: true });
  const first = await aLink(ada, news.peer, { legacyRevokePermanent: true });
  const second = await aLink(ada, news.peer, { legacyRevokePermanent: true });
  expect(second.invite.permanent).toBe(true);
  expect(await refusedToJoin(bob, first.hash)).toBe('INVITE_HASH_EXPIRED');
  const { fullChat, users } = await sandbox.call(ada, 'channels.getFullChannel', { channel: news.channel });
  expect(fullChat.exportedInvite).toMatchObject({ link: second.invite.link, adminId: ada.userId });
  expect(users).toMatchObject([{ id: ada.userId }]);
  const refused = (more: object) =>
    sandbox.refusal(ada, 'messages.exportChatInvite', { peer: news.peer, ...more });
  expect(await refused({ expireDate: 5 })).toBe('EXPIRE_DATE_INVALID');
  expect(await refused({ usageLimit: 100_000 })).toBe('USAGE_LIMIT_INVALID');
  expect(await refused({ peer: peerOf(bob) })).toBe('PEER_ID_INVALID');
  const limits = { peer: news.peer, link: second.invite.link, usageLimit: 5 };
  expect(await sandbox.refusal(ada, 'messages.editExportedChatInvite', limits)).toBe('CHAT_INVITE_PERMANENT');
  const { hash } = await aLink(ada, news.peer);
  const key = stateKey(ada.workspaceId, `invites:c${news.id}`);
  const record = (await sandbox.redis.hget(key, hash)) as string;
  for (let n = 4; n < 200; n += 1) await sandbox.redis.hset(key, `${n}`, record.replace(hash, `${n}`));
  expect(await refused({})).toBe('INVITES_TOO_MUCH');
  const page = { peer: news.peer, adminId: SELF, limit: 60 };
  const seen: string[] = [];
  for (let offsetLink = ''; ; offsetLink = seen.at(-1) as string) {
    const { count, invites } = await sandbox.call(ada, 'messages.getExportedChatInvites', {
      ...page,
      offsetLink,
    });
    expect(count).toBe(198);
    if (invites.length === 0) break;
    seen.push(...invites.map(({ link }: { link: string }) => link));
  }
  expect(new Set(seen).size).toBe(198);
  const { invites } = await sandbox.call(ada, 'messages.getExportedChatInvites', { ...page, limit: 0 });
  expect(invites).toHaveLength(100);
});

it('gives each administrator who may invite a permanent link, which comes first', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const basic = await sandbox.aGroup(ada, bob);
  const { channelId } = await sandbox.seeded(ada);
  const list = async (by: SandboxAccount, peer: object, more: object = {}) => {
    const page = { peer, adminId: SELF, limit: 1, ...more };
    return (await sandbox.call(by, 'messages.getExportedChatInvites', page)).invites;
  };
  for (const peer of [group.peer, basic, channelOf(channelId)])
    expect(await list(ada, peer)).toMatchObject([{ permanent: true, adminId: ada.userId }]);
  const promote = (adminRights: object) =>
    sandbox.call(ada, 'channels.editAdmin', {
      channel: group.channel,
      userId: { _: 'inputUser', userId: bob.userId, accessHash: '0' },
      adminRights: { _: 'chatAdminRights', ...adminRights },
      rank: '',
    });
  for (const adminRights of [
    { changeInfo: true },
    { inviteUsers: true },
    { inviteUsers: true, pinMessages: true },
  ])
    await promote(adminRights);
  expect(await list(bob, group.peer, { limit: 10 })).toMatchObject([
    { permanent: true, adminId: bob.userId },
  ]);
  const later = await aLink(ada, group.peer);
  const [first] = await list(ada, group.peer);
  expect(first.permanent).toBe(true);
  expect(await list(ada, group.peer, { offsetLink: first.link, offsetDate: first.date })).toMatchObject([
    { link: later.invite.link },
  ]);
});

it('goes on in a list of links behind one that was revoked meanwhile', async () => {
  const { peer } = await aChannel(sandbox, ada, { megagroup: true });
  for (const title of ['One', 'Two', 'Three']) await aLink(ada, peer, { title });
  const page = async (more: object = {}) => {
    const params = { peer, adminId: SELF, limit: 2, ...more };
    return (await sandbox.call(ada, 'messages.getExportedChatInvites', params)).invites;
  };
  const [first, second] = await page();
  const revokedAndNext = async ({ link, date }: { link: string; date: number }) => {
    await sandbox.call(ada, 'messages.editExportedChatInvite', { peer, link, revoked: true });
    return page({ offsetLink: link, offsetDate: date });
  };
  const rest = await revokedAndNext(second);
  expect(rest).toMatchObject([{ permanent: false }, { permanent: false }]);
  // Of the same second, the permanent link that replaces the first one may be among them.
  expect(await revokedAndNext(first)).toContainEqual(rest[0]);
});

it('replaces a permanent link that is revoked', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true });
  const page = { peer: group.peer, adminId: SELF, limit: 10 };
  const { invites } = await sandbox.call(ada, 'messages.getExportedChatInvites', page);
  const revoking = { peer: group.peer, link: invites[0].link, revoked: true };
  const replaced = await sandbox.call(ada, 'messages.editExportedChatInvite', revoking);
  expect(replaced).toMatchObject({
    _: 'messages.exportedChatInviteReplaced',
    invite: { link: invites[0].link, revoked: true },
    newInvite: { permanent: true, revoked: false, adminId: ada.userId },
  });
  const left = await sandbox.call(ada, 'messages.getExportedChatInvites', page);
  expect(left.invites).toMatchObject([{ link: replaced.newInvite.link }]);
});

it('counts who joins by a permanent link while it is replaced, and replaces it once', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true });
  const replacing = { legacyRevokePermanent: true };
  const first = await aLink(ada, group.peer, replacing);
  beforeCommitOf(sandbox, 'messages.exportChatInvite', () => join(bob, first.hash));
  await aLink(ada, group.peer, replacing);
  const link = { peer: group.peer, link: first.invite.link };
  expect((await sandbox.call(ada, 'messages.getExportedChatInvite', link)).invite).toMatchObject({
    revoked: true,
    usage: 1,
  });
  beforeCommitOf(sandbox, 'messages.exportChatInvite', () => aLink(ada, group.peer, replacing));
  const last = await aLink(ada, group.peer, replacing);
  const page = { peer: group.peer, adminId: SELF, limit: 10 };
  const { invites } = await sandbox.call(ada, 'messages.getExportedChatInvites', page);
  expect(invites.map((one: { link: string }) => one.link)).toEqual([last.invite.link]);
});

it('says who has come by a link', async () => {
  const group = await aChannel(sandbox, ada, { megagroup: true });
  const [one, other] = [await aLink(ada, group.peer), await aLink(ada, group.peer)];
  await join(bob, one.hash);
  await join(cleo, other.hash);
  const find = (params: object = {}, peer: object = group.peer) =>
    sandbox.call(ada, 'messages.getChatInviteImporters', {
      peer,
      offsetDate: 0,
      offsetUser: { _: 'inputUserEmpty' },
      limit: 10,
      ...params,
    });
  const idsOf = ({ importers }: { importers: { userId: number }[] }) => importers.map(({ userId }) => userId);
  expect(idsOf(await find()).sort()).toEqual([bob.userId, cleo.userId].sort());
  const found = await find({ link: one.invite.link });
  expect(found).toMatchObject({ count: 1, importers: [{ userId: bob.userId }], users: [{ id: bob.userId }] });
  expect(idsOf(await find({ requested: true }))).toEqual([]);
  const [first] = (await find({ limit: 1 })).importers;
  const offset = {
    offsetDate: first.date,
    offsetUser: { _: 'inputUser', userId: first.userId, accessHash: '0' },
  };
  const rest = idsOf(await find(offset));
  expect([first.userId, ...rest].sort()).toEqual([bob.userId, cleo.userId].sort());
  const refused = (params: object) =>
    sandbox.refusal(ada, 'messages.getChatInviteImporters', {
      peer: group.peer,
      ...offset,
      limit: 1,
      ...params,
    });
  expect(await refused({ link: one.hash, q: 'Bob' })).toBe('SEARCH_WITH_LINK_NOT_SUPPORTED');
  expect(await refused({ link: 'nothing' })).toBe('INVITE_HASH_EXPIRED');
  const basic = await sandbox.aGroup(ada, cleo);
  const { hash } = await aLink(ada, basic);
  await join(bob, hash);
  expect(idsOf(await find({ link: hash }, basic))).toEqual([bob.userId]);
  const get = { peer: group.peer, link: one.invite.link };
  const { invite } = await sandbox.call(ada, 'messages.getExportedChatInvite', get);
  expect(invite).toMatchObject({ link: one.invite.link, usage: 1 });
  const gone = { peer: group.peer, link: 'nothing' };
  expect(await sandbox.refusal(ada, 'messages.getExportedChatInvite', gone)).toBe('INVITE_HASH_EXPIRED');
  expect(await sandbox.refusal(bob, 'messages.getExportedChatInvite', get)).toBe('CHAT_ADMIN_REQUIRED');
});
