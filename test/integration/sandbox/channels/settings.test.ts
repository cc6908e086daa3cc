import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { slowKey } from '../../../../workers/sandbox/model/chats/keys.ts';
import { DUE } from '../../../../workers/sandbox/model/common/due.ts';
import { type GiftSticker, listGiftStickers } from '../../../../workers/sandbox/model/gifts/gift-stickers.ts';
import { scheduledDatesKey } from '../../../../workers/sandbox/model/scheduled/keys.ts';
import { scheduledField } from '../../../../workers/sandbox/model/scheduled/scheduled-messages.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import {
  aRandomId,
  channelOf,
  peerOf,
  Sandbox,
  type SandboxAccount,
  userOf,
} from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const SELF = { _: 'inputPeerSelf' };
const MEMBERS = { _: 'channelParticipantsRecent' };

const poll = (peer: object) => ({
  peer,
  message: '',
  media: {
    _: 'inputMediaPoll',
    poll: {
      _: 'poll',
      id: '0',
      question: { _: 'textWithEntities', text: 'Tea?', entities: [] },
      answers: ['Yes', 'No'].map((text) => ({
        _: 'inputPollAnswer',
        text: { _: 'textWithEntities', text, entities: [] },
      })),
      hash: '0',
    },
  },
});
const bansOf = (peer: object, rights: object) => ({
  peer,
  bannedRights: { _: 'chatBannedRights', untilDate: 0, ...rights },
});
const refused = (by: SandboxAccount, method: string, params: object) => sandbox.refusal(by, method, params);

it('changes what a group or channel says of itself', async () => {
  const channel = await aChannel(sandbox, ada, { broadcast: true }, bob);
  const edit = (by: SandboxAccount, peer: object, about: string) =>
    refused(by, 'messages.editChatAbout', { peer, about });
  await sandbox.call(ada, 'messages.editChatAbout', { peer: channel.peer, about: ' News ' });
  const { fullChat } = await sandbox.call(bob, 'channels.getFullChannel', { channel: channel.channel });
  expect(fullChat.about).toBe('News');
  expect((await sandbox.updatesOf(bob)).at(-1)).toEqual({ _: 'updateChannel', channelId: channel.id });
  expect(await edit(bob, channel.peer, 'Mine')).toBe('CHAT_ADMIN_REQUIRED');
  expect(await edit(ada, channel.peer, 'News')).toBe('CHAT_ABOUT_NOT_MODIFIED');
  expect(await edit(ada, channel.peer, 'x'.repeat(256))).toBe('CHAT_ABOUT_TOO_LONG');
  expect(await edit(ada, SELF, 'x')).toBe('PEER_ID_INVALID');
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.call(bob, 'messages.editChatAbout', { peer: group, about: 'Ours' });
  const full = await sandbox.call(ada, 'messages.getFullChat', { chatId: group.chatId });
  expect(full.fullChat.about).toBe('Ours');
});

it('keeps from the members of a supergroup what is allowed to its administrators', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true, forum: true }, bob);
  const set = (rights: object) =>
    sandbox.call(ada, 'messages.editChatDefaultBannedRights', bansOf(peer, rights));
  const { updates, chats } = await set({ sendPolls: true, manageTopics: true });
  expect(chats).toMatchObject([{ defaultBannedRights: { sendPolls: true } }]);
  expect(updates[0]).toMatchObject((await sandbox.updatesOf(bob)).at(-1));
  expect(await refused(bob, 'messages.sendMedia', poll(peer))).toBe('CHAT_SEND_POLL_FORBIDDEN');
  const topic = { peer, title: 'Mine' };
  expect(await refused(bob, 'messages.createForumTopic', topic)).toBe('CHAT_ADMIN_REQUIRED');
  await sandbox.call(ada, 'messages.sendMedia', poll(peer));
  await sandbox.send(bob, peer, 'A text');
  await set({ sendMessages: true });
  expect(await refused(bob, 'messages.sendMessage', { peer, message: 'Hi' })).toBe('CHAT_WRITE_FORBIDDEN');
  await set({ inviteUsers: true });
  const invite = { channel, users: [userOf(ada)] };
  expect(await refused(bob, 'channels.inviteToChannel', invite)).toBe('CHAT_ADMIN_REQUIRED');
  await set({ sendMessages: true });
  const typing = { peer, action: { _: 'sendMessageTypingAction' } };
  expect(await refused(bob, 'messages.setTyping', typing)).toBe('CHAT_WRITE_FORBIDDEN');
  await set({});
  await sandbox.send(bob, peer, 'Again');
  const again = (by: SandboxAccount, params: object) =>
    refused(by, 'messages.editChatDefaultBannedRights', params);
  expect(await again(ada, bansOf(peer, {}))).toBe('CHAT_NOT_MODIFIED');
  expect(await again(bob, bansOf(peer, { sendPolls: true }))).toBe('CHAT_ADMIN_REQUIRED');
  expect(await again(ada, bansOf(peer, { viewMessages: true }))).toBe('BANNED_RIGHTS_INVALID');
  expect(await again(ada, bansOf(peer, { sendPolls: true, untilDate: 5 }))).toBe('UNTIL_DATE_INVALID');
});

it('keeps from the members of a basic group what is allowed to its creator', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const rights = { sendMessages: true, changeInfo: true, inviteUsers: true, pinMessages: true };
  const { updates } = await sandbox.call(ada, 'messages.editChatDefaultBannedRights', bansOf(group, rights));
  expect(updates).toMatchObject([{ _: 'updateChatDefaultBannedRights', version: expect.any(Number) }]);
  const { chatId } = group;
  expect(await refused(bob, 'messages.sendMessage', { peer: group, message: 'Hi' })).toBe(
    'CHAT_WRITE_FORBIDDEN',
  );
  const title = { chatId, title: 'Ours' };
  expect(await refused(bob, 'messages.editChatTitle', title)).toBe('CHAT_ADMIN_REQUIRED');
  const about = { peer: group, about: 'Ours' };
  expect(await refused(bob, 'messages.editChatAbout', about)).toBe('CHAT_ADMIN_REQUIRED');
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const invite = { chatId, userId: { ...peerOf(cleo), _: 'inputUser' }, fwdLimit: 0 };
  expect(await refused(bob, 'messages.addChatUser', invite)).toBe('CHAT_ADMIN_REQUIRED');
  const { id } = await sandbox.newest(bob, group);
  expect(await refused(bob, 'messages.updatePinnedMessage', { peer: group, id })).toBe('CHAT_ADMIN_REQUIRED');
  await sandbox.call(ada, 'messages.editChatTitle', title);
  await sandbox.send(ada, group, 'Hello');
});

it('has members wait between two messages in slow mode', async () => {
  const { channel, peer, id } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const slow = (seconds: number) => ({ channel, seconds });
  await sandbox.call(ada, 'channels.toggleSlowMode', slow(900));
  const { fullChat, chats } = await sandbox.call(bob, 'channels.getFullChannel', { channel });
  expect(fullChat.slowmodeSeconds).toBe(900);
  expect(chats).toMatchObject([{ id, slowmodeEnabled: true }]);
  const nextOf = async (account: SandboxAccount) =>
    (await sandbox.call(account, 'channels.getFullChannel', { channel })).fullChat.slowmodeNextSendDate;
  expect(await nextOf(bob)).toBeUndefined();
  await sandbox.send(bob, peer, 'First');
  const { date } = await sandbox.newest(bob, peer);
  expect(await nextOf(bob)).toBe(date + 900);
  expect(await nextOf(ada)).toBeUndefined();
  expect(await refused(bob, 'messages.sendMessage', { peer, message: 'Second' })).toBe('SLOWMODE_WAIT');
  await sandbox.send(ada, peer, 'First');
  await sandbox.send(ada, peer, 'Second');
  await sandbox.call(ada, 'channels.toggleSlowMode', slow(0));
  await sandbox.send(bob, peer, 'Second');
  expect(await refused(ada, 'channels.toggleSlowMode', slow(0))).toBe('CHAT_NOT_MODIFIED');
  expect(await refused(ada, 'channels.toggleSlowMode', slow(7))).toBe('SECONDS_INVALID');
  expect(await refused(bob, 'channels.toggleSlowMode', slow(10))).toBe('CHAT_ADMIN_REQUIRED');
  const news = await aChannel(sandbox, ada, { broadcast: true });
  const wrong = { channel: news.channel, seconds: 10 };
  expect(await refused(ada, 'channels.toggleSlowMode', wrong)).toBe('CHANNEL_INVALID');
});

it('has a member wait in slow mode whatever else happens', async () => {
  const { channel, peer, id } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await sandbox.call(ada, 'channels.toggleSlowMode', { channel, seconds: 900 });
  await sandbox.send(bob, peer, 'First');
  const wait = () => refused(bob, 'messages.sendMessage', { peer, message: 'Second' });
  const own = await sandbox.newest(bob, peer);
  await sandbox.call(bob, 'channels.deleteMessages', { channel, id: [own.id] });
  expect(await wait()).toBe('SLOWMODE_WAIT');
  await sandbox.call(bob, 'channels.leaveChannel', { channel });
  await sandbox.call(ada, 'channels.inviteToChannel', { channel, users: [userOf(bob)] });
  expect(await wait()).toBe('SLOWMODE_WAIT');
  const slow = stateKey(ada.workspaceId, slowKey(id));
  expect(await sandbox.redis.pttl(slow)).toBeGreaterThan(0);
  await sandbox.call(ada, 'channels.deleteChannel', { channel });
  expect(await sandbox.redis.exists(slow)).toBe(0);
});

it('lets members post at once in slow mode, but none of them twice', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo);
  await sandbox.call(ada, 'channels.toggleSlowMode', { channel, seconds: 900 });
  const before = sandbox.conflicts;
  beforeCommitOf(sandbox, 'messages.sendMessage', () => sandbox.send(cleo, peer, 'Hers'));
  await sandbox.send(bob, peer, 'His');
  expect(sandbox.conflicts).toBe(before);
  const dan = await sandbox.anAccount('Dan', { workspaceId: ada.workspaceId });
  await sandbox.call(ada, 'channels.inviteToChannel', { channel, users: [userOf(dan)] });
  beforeCommitOf(sandbox, 'messages.sendMessage', () => sandbox.send(dan, peer, 'First'));
  expect(await refused(dan, 'messages.sendMessage', { peer, message: 'Second' })).toBe('SLOWMODE_WAIT');
});

it('has a member wait in slow mode who sends now what was scheduled, and nobody for what is due', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  await sandbox.call(ada, 'channels.toggleSlowMode', { channel, seconds: 900 });
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  const schedule = async (account: SandboxAccount) =>
    (await sandbox.send(account, peer, 'Later', { scheduleDate })).updates[0].id as number;
  const [first, second] = [await schedule(bob), await schedule(bob)];
  await sandbox.call(bob, 'messages.sendScheduledMessages', { peer, id: [first] });
  const params = { peer, id: [second] };
  expect(await refused(bob, 'messages.sendScheduledMessages', params)).toBe('SLOWMODE_WAIT');
  for (let i = 0; i < 2; i += 1)
    await sandbox.call(ada, 'messages.sendScheduledMessages', { peer, id: [await schedule(ada)] });
  const key = (name: string) => stateKey(ada.workspaceId, name);
  await sandbox.redis.zadd(
    key(scheduledDatesKey(bob.userId)),
    1,
    scheduledField(`c${channel.channelId}`, second),
  );
  await sandbox.redis.zadd(key(DUE), 1, String(bob.userId));
  await sandbox.order({ ...ada, id: '', userId: 0 }, 'doDueWork');
  const texts = (await sandbox.history(ada, peer)).map(({ message }) => message).filter(Boolean);
  expect(texts).toHaveLength(4);
});

it('takes several messages at once from nobody who has to wait, but for an album', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const sticker = () => {
    const { id, accessHash, fileReference } = (listGiftStickers()[0] as GiftSticker).document;
    const media = { _: 'inputMediaDocument', id: { _: 'inputDocument', id, accessHash, fileReference } };
    return { _: 'inputSingleMedia', media, message: '', randomId: aRandomId() };
  };
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  const texts = [];
  for (const text of ['One', 'Two'])
    texts.push((await sandbox.send(bob, peer, text, { scheduleDate })).updates[0].id);
  const album = { peer, multiMedia: [sticker(), sticker()], scheduleDate };
  const { updates } = await sandbox.call(bob, 'messages.sendMultiMedia', album);
  const ofAlbum = updates.slice(0, 2).map(({ id }: { id: number }) => id);
  const own = { _: 'inputPeerSelf' };
  for (const text of ['One', 'Two']) await sandbox.send(bob, own, text);
  const saved = (await sandbox.history(bob, own)).slice(0, 2).map(({ id }) => id);
  await sandbox.call(ada, 'channels.toggleSlowMode', { channel, seconds: 900 });
  const forward = () => ({ fromPeer: own, id: saved, randomId: saved.map(aRandomId), toPeer: peer });
  const refusals = [
    await refused(bob, 'messages.sendScheduledMessages', { peer, id: texts }),
    await refused(bob, 'messages.sendScheduledMessages', { peer, id: [...ofAlbum, texts[0]] }),
    await refused(bob, 'messages.forwardMessages', forward()),
  ];
  expect(refusals).toEqual(refusals.map(() => 'SLOWMODE_MULTI_MSGS_DISABLED'));
  await sandbox.call(bob, 'messages.sendScheduledMessages', { peer, id: ofAlbum });
  expect(await refused(bob, 'messages.sendScheduledMessages', { peer, id: [texts[0]] })).toBe(
    'SLOWMODE_WAIT',
  );
  await sandbox.call(ada, 'channels.toggleSlowMode', { channel, seconds: 0 });
  await sandbox.call(bob, 'messages.sendScheduledMessages', { peer, id: texts });
  await sandbox.call(bob, 'messages.forwardMessages', forward());
  expect(await sandbox.history(ada, peer)).toHaveLength(6);
});

it('deletes what a user has written in a supergroup', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  for (const text of ['One', 'Two']) await sandbox.send(bob, peer, text);
  await sandbox.send(ada, peer, 'Kept');
  const params = { channel, participant: peerOf(bob) };
  expect(await refused(bob, 'channels.deleteParticipantHistory', params)).toBe('CHAT_ADMIN_REQUIRED');
  const deleted = await sandbox.call(ada, 'channels.deleteParticipantHistory', params);
  expect(deleted).toMatchObject({ ptsCount: 2, offset: 0 });
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({ _: 'updateDeleteChannelMessages' });
  const texts = (await sandbox.history(ada, peer)).map(({ message }) => message).filter(Boolean);
  expect(texts).toEqual(['Kept']);
  expect(await sandbox.call(ada, 'channels.deleteParticipantHistory', params)).toMatchObject({ ptsCount: 0 });
  const own = { channel, participant: channelOf(channel.channelId) };
  expect(await refused(ada, 'channels.deleteParticipantHistory', own)).toBe('PARTICIPANT_ID_INVALID');
});

it('deletes what a user has written who was thrown out, or has come back', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const deleteHistory = (account: SandboxAccount) =>
    sandbox.call(ada, 'channels.deleteParticipantHistory', { channel, participant: peerOf(account) });
  const ban = (viewMessages: boolean) =>
    sandbox.call(ada, 'channels.editBanned', {
      channel,
      participant: peerOf(bob),
      bannedRights: { _: 'chatBannedRights', untilDate: 0, viewMessages },
    });
  for (const text of ['One', 'Two']) await sandbox.send(bob, peer, text);
  await sandbox.send(ada, peer, 'Kept');
  await ban(true);
  expect(await deleteHistory(bob)).toMatchObject({ ptsCount: 2, offset: 0 });
  const invite = async () => {
    await ban(false);
    await sandbox.call(ada, 'channels.inviteToChannel', { channel, users: [userOf(bob)] });
  };
  await invite();
  await sandbox.send(bob, peer, 'Before');
  await ban(true);
  await invite();
  await sandbox.send(bob, peer, 'After');
  expect(await deleteHistory(bob)).toMatchObject({ ptsCount: 2, offset: 0 });
  const texts = (await sandbox.history(ada, peer)).map(({ message }) => message).filter(Boolean);
  expect(texts).toEqual(['Kept']);
});

it('deletes what a user has written before many service messages', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true });
  await sandbox.send(ada, peer, 'Deep');
  for (let i = 0; i < 101; i += 1)
    await sandbox.call(ada, 'channels.editTitle', { channel, title: `Title ${i}` });
  const params = { channel, participant: peerOf(ada) };
  const deleted = await sandbox.call(ada, 'channels.deleteParticipantHistory', params);
  expect(deleted).toMatchObject({ ptsCount: 1, offset: 0 });
});

it('ends a basic group that its creator has left', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const { chatId } = group;
  expect(await refused(bob, 'messages.deleteChat', { chatId })).toBe('CHAT_ADMIN_REQUIRED');
  await sandbox.call(ada, 'messages.deleteChatUser', { chatId, userId: { _: 'inputUserSelf' } });
  await sandbox.call(ada, 'messages.deleteChat', { chatId });
  expect((await sandbox.updatesOf(bob)).at(-1)).toMatchObject({
    participants: { _: 'chatParticipantsForbidden', chatId },
  });
  expect(await refused(bob, 'messages.sendMessage', { peer: group, message: 'Hi' })).toBe('CHAT_ID_INVALID');
  expect(await refused(bob, 'messages.deleteChat', { chatId })).toBe('CHAT_ID_INVALID');
});

it('names the members of a group by ranks', async () => {
  const { channel, peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const rank = (participant: object, text: string, to: object = peer) => ({
    peer: to,
    participant,
    rank: text,
  });
  const edit = (by: SandboxAccount, params: object) =>
    sandbox.call(by, 'messages.editChatParticipantRank', params);
  await edit(ada, rank(peerOf(bob), ' Cook '));
  await edit(ada, rank(SELF, 'Founder'));
  const list = { channel, filter: MEMBERS, offset: 0, limit: 10, hash: '0' };
  const { participants } = await sandbox.call(ada, 'channels.getParticipants', list);
  const ranks = participants.map((one: { rank: string }) => one.rank).sort();
  expect(ranks).toEqual(['Cook', 'Founder']);
  await edit(bob, rank(SELF, ''));
  const refuse = (by: SandboxAccount, params: object) =>
    refused(by, 'messages.editChatParticipantRank', params);
  expect(await refuse(bob, rank(peerOf(ada), 'Boss'))).toBe('CHAT_ADMIN_REQUIRED');
  expect(await refuse(ada, rank(peerOf(bob), 'x'.repeat(17)))).toBe('ADMIN_RANK_INVALID');
  const bannedRights = { _: 'chatBannedRights', editRank: true, untilDate: 0 };
  await sandbox.call(ada, 'channels.editBanned', { channel, participant: peerOf(bob), bannedRights });
  expect(await refuse(bob, rank(SELF, 'Cook'))).toBe('CHAT_ADMIN_REQUIRED');
  const lifted = { ...bannedRights, editRank: false };
  await sandbox.call(ada, 'channels.editBanned', { channel, participant: peerOf(bob), bannedRights: lifted });
  await edit(bob, rank(SELF, 'Chef'));
  await sandbox.call(ada, 'messages.editChatDefaultBannedRights', bansOf(peer, { editRank: true }));
  expect(await refuse(bob, rank(SELF, 'Cook'))).toBe('CHAT_ADMIN_REQUIRED');
  const group = await sandbox.aGroup(ada, bob);
  const { updates, users } = await edit(bob, rank(SELF, 'Cook', group));
  expect(users).toMatchObject([{ id: bob.userId }]);
  expect(updates).toMatchObject([{ _: 'updateChatParticipantRank', userId: bob.userId, rank: 'Cook' }]);
  const full = await sandbox.call(ada, 'messages.getFullChat', { chatId: group.chatId });
  expect(full.fullChat.participants.participants).toMatchObject([{}, { rank: 'Cook' }]);
  expect(await refuse(bob, rank(peerOf(ada), 'Boss', group))).toBe('CHAT_ADMIN_REQUIRED');
  expect(await refuse(bob, rank(SELF, 'Boss', SELF))).toBe('PEER_ID_INVALID');
});
