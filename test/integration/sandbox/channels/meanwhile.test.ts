import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { membersKey } from '../../../../workers/sandbox/model/chats/keys.ts';
import { sentKey, unreadKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { aChannel, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { afterListIn, beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let cleo: SandboxAccount;
let group: TestChannel;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  group = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo);
});

const RIGHTS = { changeInfo: true, banUsers: true, inviteUsers: true, addAdmins: true };

const setRights = (user: SandboxAccount, rights: object) =>
  sandbox.call(ada, 'channels.editAdmin', {
    channel: group.channel,
    userId: userOf(user),
    adminRights: { _: 'chatAdminRights', ...rights },
    rank: '',
  });
const toBan = (user: SandboxAccount, rights: object) => ({
  channel: group.channel,
  participant: peerOf(user),
  bannedRights: { _: 'chatBannedRights', untilDate: 0, ...rights },
});
const ban = (user: SandboxAccount, rights: object) =>
  sandbox.call(ada, 'channels.editBanned', toBan(user, rights));

it('who is banned while joining stays out', async () => {
  await sandbox.call(ada, 'channels.updateUsername', { channel: group.channel, username: `in_${group.id}` });
  await sandbox.call(cleo, 'channels.leaveChannel', { channel: group.channel });
  beforeCommitOf(sandbox, 'channels.joinChannel', () => ban(cleo, { viewMessages: true }));
  expect(await sandbox.refusal(cleo, 'channels.joinChannel', { channel: group.channel })).toBe(
    'CHANNEL_PRIVATE',
  );
});

it('nobody joins or is added to what is not open for that by then', async () => {
  const dan = await sandbox.anAccount('Dan', { workspaceId: ada.workspaceId });
  const rename = (username: string) =>
    sandbox.call(ada, 'channels.updateUsername', { channel: group.channel, username });
  const forbid = () =>
    sandbox.call(ada, 'messages.editChatDefaultBannedRights', {
      peer: group.peer,
      bannedRights: { _: 'chatBannedRights', untilDate: 0, inviteUsers: true },
    });
  await rename(`open_${group.id}`);
  afterListIn(sandbox, 'channels.joinChannel', () => rename(''), 'hkeys');
  expect(await sandbox.refusal(dan, 'channels.joinChannel', { channel: group.channel })).toBe(
    'CHANNEL_PRIVATE',
  );
  afterListIn(sandbox, 'channels.inviteToChannel', forbid, 'hkeys');
  const invite = { channel: group.channel, users: [userOf(dan)] };
  expect(await sandbox.refusal(bob, 'channels.inviteToChannel', invite)).toBe('CHAT_ADMIN_REQUIRED');
});

it('an account adds no user who has blocked it by then', async () => {
  const dan = await sandbox.anAccount('Dan', { workspaceId: ada.workspaceId });
  const block = () => sandbox.call(dan, 'contacts.block', { id: peerOf(ada) });
  const users = [userOf(dan)];
  beforeCommitOf(sandbox, 'channels.inviteToChannel', block);
  const invite = { channel: group.channel, users };
  expect(await sandbox.refusal(ada, 'channels.inviteToChannel', invite)).toBe('USER_BLOCKED');
  await sandbox.call(dan, 'contacts.unblock', { id: peerOf(ada) });
  beforeCommitOf(sandbox, 'messages.createChat', block);
  const { missingInvitees } = await sandbox.call(ada, 'messages.createChat', { title: 'Us', users });
  expect(missingInvitees).toMatchObject([{ userId: dan.userId }]);
});

it('an account adds no user who lets only contacts do so and has removed it from them by then', async () => {
  const dan = await sandbox.anAccount('Dan', { workspaceId: ada.workspaceId });
  await sandbox.call(dan, 'account.setPrivacy', {
    key: { _: 'inputPrivacyKeyChatInvite' },
    rules: [{ _: 'inputPrivacyValueAllowContacts' }],
  });
  const contact = { id: userOf(ada), firstName: 'Ada', lastName: '', phone: '' };
  await sandbox.call(dan, 'contacts.addContact', contact);
  beforeCommitOf(sandbox, 'channels.inviteToChannel', () =>
    sandbox.call(dan, 'contacts.deleteContacts', { id: [userOf(ada)] }),
  );
  const invite = { channel: group.channel, users: [userOf(dan)] };
  const { missingInvitees } = await sandbox.call(ada, 'channels.inviteToChannel', invite);
  expect(missingInvitees).toMatchObject([{ userId: dan.userId }]);
});

it('an administrator who is one no longer by then changes nothing', async () => {
  group = await aChannel(sandbox, ada, { broadcast: true }, bob, cleo);
  const dan = await sandbox.anAccount('Dan', { workspaceId: ada.workspaceId });
  const changes: [string, () => object][] = [
    ['channels.editTitle', () => ({ channel: group.channel, title: 'Mine' })],
    ['channels.editBanned', () => toBan(cleo, { viewMessages: true })],
    [
      'channels.editAdmin',
      () => ({
        channel: group.channel,
        userId: userOf(cleo),
        adminRights: { _: 'chatAdminRights', changeInfo: true },
        rank: '',
      }),
    ],
    ['messages.exportChatInvite', () => ({ peer: group.peer })],
    ['channels.inviteToChannel', () => ({ channel: group.channel, users: [userOf(dan)] })],
  ];
  for (const [method, params] of changes) {
    await setRights(bob, RIGHTS);
    beforeCommitOf(sandbox, method, () => setRights(bob, {}));
    expect([method, await sandbox.refusal(bob, method, params())]).toEqual([method, 'CHAT_ADMIN_REQUIRED']);
  }
});

it('a member who may write, edit or react no longer by then does nothing', async () => {
  await sandbox.send(bob, group.peer, 'Before');
  const { id } = await sandbox.newest(bob, group.peer);
  const forbid = (rights: object) =>
    sandbox.call(ada, 'messages.editChatDefaultBannedRights', {
      peer: group.peer,
      bannedRights: { _: 'chatBannedRights', untilDate: 0, ...rights },
    });
  const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
  const scheduleDate = Math.floor(Date.now() / 1_000) + 600;
  const changes: [string, object][] = [
    ['messages.sendMessage', { message: 'Now' }],
    ['messages.sendMessage', { message: 'Later', scheduleDate }],
    ['messages.editMessage', { id, message: 'After' }],
    ['messages.sendReaction', { msgId: id, reaction }],
  ];
  for (const [method, params] of changes) {
    beforeCommitOf(sandbox, method, () => forbid({ sendMessages: true, sendReactions: true }));
    const refusal = await sandbox.refusal(bob, method, { peer: group.peer, ...params });
    expect([method, refusal]).toEqual([method, 'CHAT_WRITE_FORBIDDEN']);
    await forbid({});
  }
});

it('no topic is opened in what is no forum by then', async () => {
  group = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
  beforeCommitOf(sandbox, 'messages.createForumTopic', () =>
    sandbox.call(ada, 'channels.toggleForum', { channel: group.channel, enabled: false, tabs: false }),
  );
  const topic = { peer: group.peer, title: 'Tea' };
  expect(await sandbox.refusal(bob, 'messages.createForumTopic', topic)).toBe('CHANNEL_FORUM_MISSING');
});

it('an administrator who may pin no longer by then unpins nothing', async () => {
  await sandbox.send(ada, group.peer, 'Rules');
  const { id } = await sandbox.newest(ada, group.peer);
  await sandbox.call(ada, 'messages.updatePinnedMessage', { peer: group.peer, id });
  const changes: [string, object][] = [
    ['messages.updatePinnedMessage', { peer: group.peer, id, unpin: true }],
    ['messages.unpinAllMessages', { peer: group.peer }],
  ];
  for (const [method, params] of changes) {
    await setRights(bob, { pinMessages: true });
    beforeCommitOf(sandbox, method, () => setRights(bob, {}));
    expect([method, await sandbox.refusal(bob, method, params)]).toEqual([method, 'CHAT_ADMIN_REQUIRED']);
  }
});

it('who is restricted or banned, only administrators and the user itself see', async () => {
  await ban(cleo, { sendMedia: true });
  const see = async (account: SandboxAccount) => {
    const params = { channel: group.channel, participant: peerOf(cleo) };
    const one = await sandbox.call(account, 'channels.getParticipant', params);
    const all = await sandbox.call(account, 'channels.getParticipants', {
      channel: group.channel,
      filter: { _: 'channelParticipantsRecent' },
      offset: 0,
      limit: 10,
      hash: '0',
    });
    const listed = all.participants.some(({ _ }: { _: string }) => _ === 'channelParticipantBanned');
    return [one.participant._, listed];
  };
  expect(await see(bob)).toEqual(['channelParticipant', false]);
  for (const account of [ada, cleo]) expect(await see(account)).toEqual(['channelParticipantBanned', true]);
  await ban(cleo, { viewMessages: true });
  const params = { channel: group.channel, participant: peerOf(cleo) };
  expect(await sandbox.refusal(bob, 'channels.getParticipant', params)).toBe('USER_NOT_PARTICIPANT');
});

it('links of another administrator only the creator sees and changes', async () => {
  await setRights(bob, RIGHTS);
  const { link } = await sandbox.call(ada, 'messages.exportChatInvite', { peer: group.peer });
  const list = { peer: group.peer, adminId: userOf(ada), limit: 10 };
  const revoke = { peer: group.peer, link, revoked: true };
  expect(await sandbox.refusal(bob, 'messages.getExportedChatInvites', list)).toBe('CHAT_ADMIN_REQUIRED');
  expect(await sandbox.refusal(bob, 'messages.editExportedChatInvite', revoke)).toBe('CHAT_ADMIN_REQUIRED');
  const own = await sandbox.call(bob, 'messages.exportChatInvite', { peer: group.peer });
  const edited = await sandbox.call(ada, 'messages.editExportedChatInvite', { ...revoke, link: own.link });
  expect(edited.invite).toMatchObject({ adminId: bob.userId, revoked: true });
});

it('who leaves a forum keeps nothing of its topics', async () => {
  group = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
  const topic = { peer: group.peer, title: 'Topic', randomId: '17' };
  const replyToMsgId = (await sandbox.call(ada, 'messages.createForumTopic', topic)).updates[0].id;
  await sandbox.send(ada, group.peer, 'Hello', {
    replyTo: { _: 'inputReplyToMessage', replyToMsgId, topMsgId: replyToMsgId },
  });
  const unread = async () => {
    const name = stateKey(ada.workspaceId, unreadKey(bob.userId));
    return (await sandbox.redis.hkeys(name)).filter((field) => field.includes(`c${group.id}`));
  };
  expect(await unread()).not.toEqual([]);
  const leave = () => sandbox.call(bob, 'channels.leaveChannel', { channel: group.channel });
  await leave();
  expect(await unread()).toEqual([]);
  const sent = stateKey(ada.workspaceId, sentKey(bob.userId, `c${group.id}`, 't1'));
  expect(await sandbox.redis.exists(sent)).toBe(0);
  const name = `left_${group.id}`;
  await sandbox.call(ada, 'channels.updateUsername', { channel: group.channel, username: name });
  const read = { peer: group.peer, msgId: replyToMsgId, readMaxId: 0 };
  expect(await sandbox.refusal(bob, 'messages.readDiscussion', read)).toBe('CHANNEL_PRIVATE');
  await sandbox.call(bob, 'channels.joinChannel', { channel: group.channel });
  beforeCommitOf(sandbox, 'messages.readDiscussion', leave);
  expect(await sandbox.refusal(bob, 'messages.readDiscussion', read)).toBe('CHANNEL_PRIVATE');
  expect(await unread()).toEqual([]);
});

it('who joins while others post has the dialog of the newest post', async () => {
  const channel = await aChannel(sandbox, ada, { broadcast: true });
  await sandbox.call(ada, 'channels.updateUsername', {
    channel: channel.channel,
    username: `new_${channel.id}`,
  });
  const newest = async () => (await sandbox.send(ada, channel.peer, 'Now')).updates.at(-1).message;
  const { id } = await newest();
  afterListIn(sandbox, 'channels.joinChannel', newest);
  await sandbox.call(cleo, 'channels.joinChannel', { channel: channel.channel });
  const member = await sandbox.redis.hget(
    stateKey(ada.workspaceId, membersKey(channel.id)),
    String(cleo.userId),
  );
  expect(JSON.parse(String(member)).sinceId).toBe(id + 1);
});
