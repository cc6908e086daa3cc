import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { afterListIn } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let eve: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const id = newId('workspace');
  [ada, bob, eve] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id, strictPeers: true }),
  ]);
});

afterAll(() => sandbox.close());

const userOf = ({ userId }: SandboxAccount) => ({ _: 'inputUser', userId, accessHash: '0' });
const groupOf = (chatId: number) => ({ _: 'inputPeerChat', chatId });
const WHOLE = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: '0' };

const call = (account: SandboxAccount, method: string, params: object) =>
  sandbox.call(account, method, params);

async function aGroup(creator: SandboxAccount, ...members: SandboxAccount[]): Promise<number> {
  const users = members.map(userOf);
  const { updates } = await call(creator, 'messages.createChat', { title: 'Group', users });
  return updates.chats[0].id;
}

async function history(account: SandboxAccount, chatId: number) {
  return (await call(account, 'messages.getHistory', { peer: groupOf(chatId), ...WHOLE })).messages;
}

async function refusal(account: SandboxAccount, method: string, params: object) {
  const { status, body } = await sandbox.answer(account, method, params);
  return [status, body.code];
}

const add = (chatId: number, account: SandboxAccount, fwdLimit = 0) => ({
  chatId,
  userId: userOf(account),
  fwdLimit,
});

it('adds the furnished contact to the furnished group once, by the documented request', async () => {
  const params = { chatId: 1, userId: { _: 'inputUserEmpty' }, fwdLimit: 1 };
  expect(await call(ada, 'messages.addChatUser', params)).toEqual({
    _: 'messages.invitedUsers',
    updates: { _: 'updatesTooLong' },
    missingInvitees: [],
  });
  expect(await refusal(ada, 'messages.addChatUser', params)).toEqual([400, 'USER_ALREADY_PARTICIPANT']);
});

it('shows the last messages of a group to who is added, as messages of its own', async () => {
  const chatId = await aGroup(ada, bob);
  const peer = groupOf(chatId);
  for (const message of ['one', 'two', 'three']) {
    await call(ada, 'messages.sendMessage', { peer, message });
  }
  const [question] = await history(bob, chatId);
  await call(bob, 'messages.sendMessage', {
    peer,
    message: 'four',
    replyTo: { _: 'inputReplyToMessage', replyToMsgId: question.id },
  });
  const before = (await sandbox.updates(ada)).length;
  await call(ada, 'messages.addChatUser', add(chatId, eve, 2));

  const seen = await history(eve, chatId);
  expect(seen.map(({ message, action }: Record<string, unknown>) => message ?? action)).toMatchObject([
    { _: 'messageActionChatAddUser', users: [eve.userId] },
    'four',
    'three',
  ]);
  expect(seen[1].replyTo.replyToMsgId).toBe(seen[2].id);
  expect(seen[1]).toMatchObject({ out: false, fromId: { _: 'peerUser', userId: bob.userId } });
  expect((await history(bob, chatId))[0].action).toMatchObject({ _: 'messageActionChatAddUser' });
  const heard = (await sandbox.updates(ada)).slice(before);
  const kindsOf = (account: SandboxAccount) =>
    heard.filter((entry) => entry.accountId === account.id).map((entry) => entry.update._);
  expect(kindsOf(eve)).toEqual([
    'updateChatParticipants',
    'updateNewMessage',
    'updateNewMessage',
    'updateNewMessage',
  ]);
  expect(kindsOf(bob)).toEqual(['updateChatParticipants', 'updateNewMessage']);
});

it('tells nobody who is added that the account has cleared its own history', async () => {
  const chatId = await aGroup(ada, bob);
  const peer = groupOf(chatId);
  await call(ada, 'messages.deleteHistory', { peer, maxId: 0, justClear: true });
  await call(ada, 'messages.sendMessage', { peer, message: 'Welcome' });
  expect(await history(ada, chatId)).toHaveLength(2);
  await call(ada, 'messages.addChatUser', add(chatId, eve, 10));
  const seen = await history(eve, chatId);
  expect(seen.map(({ message, action }: Record<string, unknown>) => message ?? action)).toMatchObject([
    { _: 'messageActionChatAddUser' },
    'Welcome',
  ]);
});

it('says which call runs in a group, by which link others join it and which bots it has', async () => {
  const chatId = await aGroup(ada, bob);
  const fullOf = async (account: SandboxAccount) =>
    (await call(account, 'messages.getFullChat', { chatId })).fullChat;
  expect(await fullOf(bob)).not.toHaveProperty('call');
  const { botId } = await sandbox.seeded(ada);
  await call(ada, 'messages.addChatUser', { ...add(chatId, ada), userId: userOf({ ...ada, userId: botId }) });
  const link = await call(ada, 'messages.exportChatInvite', {
    peer: groupOf(chatId),
    legacyRevokePermanent: true,
  });
  const { updates } = await call(ada, 'phone.createGroupCall', { peer: groupOf(chatId), randomId: 1 });
  const { id } = updates.find(({ _ }: { _: string }) => _ === 'updateGroupCall').call;
  expect(await fullOf(bob)).toMatchObject({ call: { id }, botInfo: [{ userId: botId }] });
  expect(await fullOf(ada)).toMatchObject({ call: { id }, exportedInvite: { link: link.link } });
  expect(await fullOf(bob)).not.toHaveProperty('exportedInvite');
});

it('names who does not let others add it to groups as missing', async () => {
  const chatId = await aGroup(ada, bob);
  const key = { _: 'inputPrivacyKeyChatInvite' };
  const only = { _: 'inputPrivacyValueAllowUsers', users: [userOf(bob)] };
  const rules = [only, { _: 'inputPrivacyValueDisallowAll' }];
  await call(eve, 'account.setPrivacy', {
    key,
    rules: [{ ...only, users: [{ ...userOf(bob), accessHash: await hashOf(bob) }] }, rules[1]],
  });
  expect(await call(ada, 'messages.addChatUser', add(chatId, eve))).toMatchObject({
    missingInvitees: [{ _: 'missingInvitee', userId: eve.userId }],
  });
  const { fullChat } = await call(ada, 'messages.getFullChat', { chatId });
  expect(fullChat.participants.participants).toHaveLength(2);
  expect((await call(eve, 'account.getPrivacy', { key })).rules).toHaveLength(2);
  expect(await call(bob, 'messages.addChatUser', add(chatId, eve))).toMatchObject({ missingInvitees: [] });
  await call(eve, 'account.setPrivacy', { key, rules: [{ _: 'inputPrivacyValueAllowAll' }] });
});

it('lets privacy rules name groups and supergroups that the account is in, and no others', async () => {
  const fay = await sandbox.anAccount('Fay', { workspaceId: ada.workspaceId });
  const key = { _: 'inputPrivacyKeyChatInvite' };
  const disallow = (...chats: number[]) => [
    { _: 'inputPrivacyValueDisallowChatParticipants', chats },
    { _: 'inputPrivacyValueAllowAll' },
  ];
  const [chatId, group] = [await aGroup(fay, ada), await aChannel(sandbox, fay, { megagroup: true }, bob)];
  const set = await call(fay, 'account.setPrivacy', { key, rules: disallow(chatId, group.id) });
  expect(set.rules[0]).toMatchObject({ chats: [chatId, group.id] });
  expect(set.chats).toMatchObject([
    { _: 'chat', id: chatId },
    { _: 'channel', id: group.id },
  ]);
  for (const member of [ada, bob])
    expect(await call(member, 'messages.createChat', { title: 'Group', users: [userOf(fay)] })).toMatchObject(
      { missingInvitees: [{ userId: fay.userId }] },
    );
  const { chatId: seededId } = await sandbox.seeded(fay);
  const alias = await call(fay, 'account.setPrivacy', { key, rules: disallow(1) });
  expect(alias.rules[0].chats).toEqual([seededId]);
  const foreign = [await aGroup(ada, bob), (await aChannel(sandbox, ada, { megagroup: true })).id, 5];
  const news = await aChannel(sandbox, fay, { broadcast: true });
  for (const id of [...foreign, news.id])
    expect(await sandbox.refusal(fay, 'account.setPrivacy', { key, rules: disallow(id) })).toBe(
      'CHAT_ID_INVALID',
    );
});

it('refuses privacy rules that contradict each other', async () => {
  const key = { _: 'inputPrivacyKeyChatInvite' };
  const rule = (name: string, more: object = {}) => ({ _: `inputPrivacyValue${name}`, ...more });
  const refuse = (...rules: object[]) => sandbox.refusal(bob, 'account.setPrivacy', { key, rules });
  expect(await refuse(rule('AllowAll'), rule('DisallowAll'))).toBe('PRIVACY_VALUE_INVALID');
  expect(await refuse(rule('AllowContacts'), rule('DisallowContacts'))).toBe('PRIVACY_VALUE_INVALID');
  const users = (account: SandboxAccount) => ({ users: [userOf(account)] });
  const some = [rule('AllowUsers', users(ada)), rule('DisallowUsers', users(eve)), rule('AllowContacts')];
  await call(bob, 'account.setPrivacy', { key, rules: [...some, rule('DisallowAll')] });
  await call(bob, 'account.setPrivacy', { key, rules: [rule('AllowAll')] });
});

async function hashOf(account: SandboxAccount): Promise<string> {
  const [self] = (await call(account, 'users.getUsers', { id: [{ _: 'inputUserSelf' }] })).items;
  return self.accessHash;
}

it('refuses to add who has blocked the account, or was blocked by it', async () => {
  const chatId = await aGroup(ada, bob);
  const peerOf = (account: SandboxAccount) => ({
    _: 'inputPeerUser',
    userId: account.userId,
    accessHash: '0',
  });
  const adaForEve = { ...peerOf(ada), accessHash: await hashOf(ada) };
  expect(await call(eve, 'contacts.block', { id: adaForEve })).toEqual({ _: 'boolTrue' });
  expect(await refusal(ada, 'messages.addChatUser', add(chatId, eve))).toEqual([400, 'USER_IS_BLOCKED']);
  await call(eve, 'contacts.unblock', { id: adaForEve });
  await call(ada, 'contacts.block', { id: peerOf(eve) });
  expect(await refusal(ada, 'messages.addChatUser', add(chatId, eve))).toEqual([400, 'YOU_BLOCKED_USER']);
  await call(ada, 'contacts.unblock', { id: peerOf(eve) });
  await call(ada, 'messages.addChatUser', add(chatId, eve));
});

it('tells the members of a new group who they are', async () => {
  const [fay, gus] = await sandbox.twoAccounts();
  const users = [userOf(gus)];
  const { result, updates } = await sandbox.watch(fay, () =>
    call(fay, 'messages.createChat', { title: 'Group', users }),
  );
  const participants = {
    _: 'chatParticipants',
    chatId: result.updates.chats[0].id,
    participants: [
      { _: 'chatParticipantCreator', userId: fay.userId },
      { _: 'chatParticipant', userId: gus.userId, inviterId: fay.userId },
    ],
    version: 1,
  };
  const told = { _: 'updateChatParticipants', participants };
  expect(result.updates.updates).toMatchObject([told, { _: 'updateNewMessage' }]);
  const heard = updates.filter(({ update }) => update._ === told._);
  expect(heard.map(({ accountId }) => accountId).sort()).toEqual([fay.id, gus.id].sort());
  for (const { update } of heard) expect(update).toMatchObject(told);
});

it('creates a group without those who have blocked the account, and with nobody who was deleted', async () => {
  const [fay, gus] = await sandbox.twoAccounts();
  const hal = await sandbox.anAccount('Account', { workspaceId: fay.workspaceId });
  await call(gus, 'contacts.block', { id: { ...userOf(fay), _: 'inputPeerUser' } });
  const created = await call(fay, 'messages.createChat', { title: 'Group', users: [gus, hal].map(userOf) });
  expect(created).toMatchObject({
    updates: { chats: [{ participantsCount: 2 }] },
    missingInvitees: [{ userId: gus.userId }],
  });
  await sandbox.order(hal, 'disconnectAccount');
  const params = { title: 'Group', users: [userOf(hal)] };
  expect(await sandbox.refusal(fay, 'messages.createChat', params)).toBe('INPUT_USER_DEACTIVATED');
});

it('creates no group that is to delete its messages by itself', async () => {
  const params = { title: 'Group', users: [userOf(bob)], ttlPeriod: 86_400 };
  expect(await refusal(ada, 'messages.createChat', params)).toEqual([400, 'TTL_PERIOD_INVALID']);
  await call(ada, 'messages.createChat', { ...params, ttlPeriod: 0 });
});

it('refuses groups the account is not in, users that do not exist, and aliases where peers are strict', async () => {
  const chatId = await aGroup(ada, bob);
  expect(await refusal(eve, 'messages.addChatUser', add(chatId, eve))).toEqual([400, 'CHAT_ID_INVALID']);
  expect(await refusal(ada, 'messages.addChatUser', add(999, eve))).toEqual([400, 'CHAT_ID_INVALID']);
  const nobody = { chatId, userId: { ...userOf(eve), userId: 5 }, fwdLimit: 0 };
  expect(await refusal(ada, 'messages.addChatUser', nobody)).toEqual([400, 'USER_ID_INVALID']);
  expect(await refusal(ada, 'messages.addChatUser', add(chatId, eve, -1))).toEqual([400, 'LIMIT_INVALID']);
  const documented = { chatId: 1, userId: { _: 'inputUserEmpty' }, fwdLimit: 1 };
  expect((await refusal(eve, 'messages.addChatUser', documented))[0]).toBe(400);
  const gone = await sandbox.anAccount('Account', { workspaceId: ada.workspaceId });
  await sandbox.order(gone, 'disconnectAccount');
  expect(await refusal(ada, 'messages.addChatUser', add(chatId, gone))).toEqual([
    400,
    'INPUT_USER_DEACTIVATED',
  ]);
});

it('takes members out of a group and lets them leave', async () => {
  const chatId = await aGroup(ada, bob, eve);
  const remove = (account: SandboxAccount) => ({ chatId, userId: userOf(account) });
  expect(await refusal(bob, 'messages.deleteChatUser', remove(ada))).toEqual([400, 'CHAT_ADMIN_REQUIRED']);
  const removed = await call(ada, 'messages.deleteChatUser', remove(eve));
  expect((await history(bob, chatId)).length).toBe(2);
  expect(removed.updates[0].message.action).toMatchObject({ userId: eve.userId });
  expect(await refusal(ada, 'messages.deleteChatUser', remove(eve))).toEqual([400, 'USER_NOT_PARTICIPANT']);
  expect(await refusal(eve, 'messages.getFullChat', { chatId })).toEqual([400, 'CHAT_ID_INVALID']);
  const left = await call(bob, 'messages.deleteChatUser', { chatId, userId: { _: 'inputUserSelf' } });
  expect(left.chats[0]).toMatchObject({ left: true });
  const { fullChat } = await call(ada, 'messages.getFullChat', { chatId });
  expect(fullChat.participants).toMatchObject({ version: 3, participants: [{ userId: ada.userId }] });
});

it('lets who has left return, but nobody who was removed or whose group is gone', async () => {
  const chatId = await aGroup(ada, bob, eve);
  const remove = (account: SandboxAccount) => ({ chatId, userId: userOf(account) });
  const back = { chatId, userId: { _: 'inputUserSelf' }, fwdLimit: 100 };
  expect(await refusal(bob, 'messages.addChatUser', back)).toEqual([400, 'USER_ALREADY_PARTICIPANT']);
  const noInvites = { _: 'chatBannedRights', inviteUsers: true, untilDate: 0 };
  const ban = { peer: groupOf(chatId), bannedRights: noInvites };
  await call(ada, 'messages.editChatDefaultBannedRights', ban);
  await call(bob, 'messages.deleteChatUser', remove(bob));
  await call(ada, 'messages.sendMessage', { peer: groupOf(chatId), message: 'Without Bob' });
  const before = (await history(bob, chatId)).length;
  await call(bob, 'messages.addChatUser', back);
  const [newest, ...others] = await history(bob, chatId);
  expect(others).toHaveLength(before);
  const action = { _: 'messageActionChatAddUser', users: [bob.userId] };
  expect(newest).toMatchObject({ action, fromId: { userId: bob.userId } });
  expect((await history(ada, chatId))[0]).toMatchObject({ action });
  const { fullChat } = await call(ada, 'messages.getFullChat', { chatId });
  expect(fullChat.participants.participants).toContainEqual(
    expect.objectContaining({ userId: bob.userId, inviterId: bob.userId }),
  );
  // Who has returned and is removed then is out.
  for (const account of [bob, eve]) {
    await call(ada, 'messages.deleteChatUser', remove(account));
    expect(await refusal(account, 'messages.addChatUser', back)).toEqual([400, 'CHAT_ID_INVALID']);
  }
  const other = await aGroup(ada, bob);
  await call(bob, 'messages.deleteChatUser', { ...remove(bob), chatId: other });
  await call(ada, 'messages.deleteChat', { chatId: other });
  expect(await refusal(bob, 'messages.addChatUser', { ...back, chatId: other })).toEqual([
    400,
    'CHAT_ID_INVALID',
  ]);
});

it('names who has added a member, also after that user has left', async () => {
  const chatId = await aGroup(ada, bob);
  await call(bob, 'messages.addChatUser', add(chatId, eve));
  await call(bob, 'messages.deleteChatUser', { chatId, userId: { _: 'inputUserSelf' } });
  const { fullChat, users } = await call(ada, 'messages.getFullChat', { chatId });
  expect(fullChat.participants.participants).toContainEqual(
    expect.objectContaining({ userId: eve.userId, inviterId: bob.userId }),
  );
  expect(users.map(({ id }: { id: number }) => id)).toContain(bob.userId);
});

it('shows who comes back to the furnished group nothing twice', async () => {
  const id = newId('workspace');
  const [owner, guest] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
  ]);
  const { chats } = await call(owner, 'messages.getDialogs', {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: 100,
    hash: '0',
  });
  const chatId = chats.find((chat: { _: string }) => chat._ === 'chat').id;
  await call(owner, 'messages.addChatUser', add(chatId, guest, 100));
  await call(owner, 'messages.deleteChatUser', { chatId, userId: userOf(guest) });
  await call(owner, 'messages.addChatUser', add(chatId, guest, 100));
  const kinds = (await history(guest, chatId)).map(({ action }: { action: { _: string } }) => action._);
  expect(kinds.filter((kind: string) => kind === 'messageActionChatCreate')).toHaveLength(1);
});

it('takes its history from who is removed, on request', async () => {
  const chatId = await aGroup(ada, bob);
  await call(ada, 'messages.sendMessage', { peer: groupOf(chatId), message: 'Secret' });
  const [secret] = await history(bob, chatId);
  await call(ada, 'messages.deleteChatUser', { chatId, userId: userOf(bob), revokeHistory: true });
  const gone = await call(bob, 'messages.getMessages', { id: [{ _: 'inputMessageID', id: secret.id }] });
  expect(gone.messages).toMatchObject([{ _: 'messageEmpty', id: secret.id }]);
  const heard = (await sandbox.updates(ada)).at(-1);
  expect(heard).toMatchObject({ accountId: bob.id, update: { _: 'updateDeleteMessages' } });
});

it('takes as much of its history as fits from who is removed from a large group', async () => {
  const others = await Promise.all(
    Array.from({ length: 83 }, (_, n) => sandbox.anAccount(`M${n}`, { workspaceId: ada.workspaceId })),
  );
  const peer = await sandbox.aGroup(ada, bob, ...others);
  for (let n = 0; n < 75; n += 1) {
    const { updates } = await sandbox.send(bob, peer, `${n}`);
    await call(bob, 'messages.updatePinnedMessage', { peer, id: updates[0].id, pmOneside: true });
  }
  const params = { chatId: peer.chatId, userId: userOf(bob), revokeHistory: true };
  const { status, body } = await sandbox.answer(ada, 'messages.deleteChatUser', params);
  expect(status).toBe(200);
  const { update } = (await sandbox.updates(ada, body.txid - 1)).at(-1) ?? {};
  expect(update).toMatchObject({ _: 'updateDeleteMessages' });
  expect(update.messages.length).toBeGreaterThan(50);
  expect(update.messages.length).toBeLessThan(75);
});

it('takes as many polls as fit from who is removed from a large group', async () => {
  const others = await Promise.all(
    Array.from({ length: 60 }, (_, n) => sandbox.anAccount(`M${n}`, { workspaceId: ada.workspaceId })),
  );
  const peer = await sandbox.aGroup(ada, bob, ...others);
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = [{ _: 'pollAnswer', text: text('Yes'), option: 'MA==' }];
  const poll = { _: 'poll', id: '0', hash: '0', question: text('Well?'), answers };
  const media = { _: 'inputMediaPoll', poll };
  for (let n = 0; n < 80; n += 1) await call(bob, 'messages.sendMedia', { peer, media, message: '' });
  const params = { chatId: peer.chatId, userId: userOf(bob), revokeHistory: true };
  const { status, body } = await sandbox.answer(ada, 'messages.deleteChatUser', params);
  expect(status).toBe(200);
  const { update } = (await sandbox.updates(ada, body.txid - 1)).at(-1) ?? {};
  expect(update.messages.length).toBeGreaterThan(50);
});

it('holds ninety members at most, and shares as much history as fits', async () => {
  const workspaceId = newId('workspace');
  const accounts = await Promise.all(
    Array.from({ length: 31 }, () => sandbox.anAccount('Account', { workspaceId })),
  );
  const [creator, ...others] = accounts as [SandboxAccount, ...SandboxAccount[]];
  // Each account was furnished with three users whose ids follow its own.
  const ids = others.flatMap(({ userId }) => [userId, userId + 1, userId + 2, userId + 3]).slice(0, 89);
  const users = ids.slice(0, 88).map((userId) => ({ _: 'inputUser', userId, accessHash: '0' }));
  const { updates } = await call(creator, 'messages.createChat', { title: 'Crowd', users });
  const chatId = updates.chats[0].id;
  const params = (userId: number) => ({
    chatId,
    userId: { _: 'inputUser', userId, accessHash: '0' },
    fwdLimit: 100,
  });
  await call(creator, 'messages.addChatUser', params(ids[88] as number));
  const last = await sandbox.anAccount('Account', { workspaceId });
  expect(await refusal(creator, 'messages.addChatUser', params(last.userId))).toEqual([
    400,
    'USERS_TOO_MUCH',
  ]);
});

it('adds once who is added twice at the same time, with pts that leave no gap', async () => {
  const newcomer = await sandbox.anAccount('Account', { workspaceId: ada.workspaceId });
  const chatId = await aGroup(ada, bob);
  for (const message of ['one', 'two']) {
    await call(ada, 'messages.sendMessage', { peer: groupOf(chatId), message });
  }
  const adders = [ada, bob, ada, bob];
  const answers = await Promise.all(
    adders.map((adder) => sandbox.answer(adder, 'messages.addChatUser', add(chatId, newcomer, 10))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
  expect(new Set(others)).toEqual(new Set(['USER_ALREADY_PARTICIPANT']));
  const own = (await sandbox.updates(ada)).filter(
    (entry) => entry.accountId === newcomer.id && entry.update.pts !== undefined,
  );
  const steps = own.map(({ update }, i) => update.pts - (own[i - 1]?.update.pts ?? update.pts - 1));
  expect(steps).toEqual([1, 1, 1, 1]);
  expect(await history(newcomer, chatId)).toHaveLength(4);
  const state = await call(newcomer, 'updates.getState', {});
  expect(state).toMatchObject({ pts: own.at(-1)?.update.pts, unreadCount: 4 });
});

it('gives a new member what is sent while it is added, though not for ever', async () => {
  const adding = async (sends: number) => {
    const newcomer = await sandbox.anAccount('Account', { workspaceId: ada.workspaceId });
    const chatId = await aGroup(ada, bob);
    let sent = 0;
    const send = () => call(bob, 'messages.sendMessage', { peer: groupOf(chatId), message: `${sent}` });
    await send();
    const sendBeside = () =>
      afterListIn(sandbox, 'messages.addChatUser', async () => {
        sent += 1;
        await send();
        if (sent < sends) sendBeside();
      });
    sendBeside();
    expect((await sandbox.answer(ada, 'messages.addChatUser', add(chatId, newcomer, 10))).status).toBe(200);
    const got = (await history(newcomer, chatId)).map(({ message }: { message?: string }) => message);
    return { sent, got: got.filter((text: string | undefined) => text !== undefined) };
  };
  expect(await adding(1)).toEqual({ sent: 1, got: ['1', '0'] });
  expect(await adding(3)).toEqual({ sent: 3, got: ['2', '1', '0'] });
});
