import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { stateKey } from '../../../../src/redis/keys.ts';
import { fillFlags } from '../../../../src/tl/fill-flags.ts';
import { DUE } from '../../../../workers/sandbox/model/common/due.ts';
import { GROUP_CALLS } from '../../../../workers/sandbox/model/group-calls/keys.ts';
import { aChannel, type TestChannel } from '../../../support/sandbox/a-channel.ts';
import { afterListIn, beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';
import { checkObject } from '../../../support/tl/check-result.ts';

let sandbox: Sandbox;
let workspaceId: string;
let owner: SandboxAccount;
let member: SandboxAccount;
let third: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  workspaceId = newId('workspace');
  [owner, member, third] = (await Promise.all(
    ['Owner', 'Member', 'Third'].map((name) => sandbox.anAccount(name, { workspaceId })),
  )) as [SandboxAccount, SandboxAccount, SandboxAccount];
});

afterAll(() => sandbox.close());

const result = (account: SandboxAccount, method: string, params: object) =>
  sandbox.call(account, method, params);

async function refusal(account: SandboxAccount, method: string, params: object): Promise<string> {
  const { status, body } = await sandbox.answer(account, method, params);
  return `${status} ${body.code}`;
}

async function updatesOf(account: SandboxAccount, kind: string) {
  const found = await sandbox.updates({ workspaceId });
  const own = found.filter((entry) => entry.accountId === account.id && entry.kind === kind);
  for (const { update } of own) expect(checkObject('Update', fillFlags(update))).toEqual([]);
  return own.map(({ update }) => update);
}

let groups = 0;

async function aGroup(...others: SandboxAccount[]) {
  groups += 1;
  const users = others.map(({ userId }) => ({ _: 'inputUser', userId, accessHash: '0' }));
  const { updates } = await result(owner, 'messages.createChat', { users, title: `Group ${groups}` });
  return { _: 'inputPeerChat', chatId: updates.chats[0].id };
}

let randomId = 0;

async function aCall(peer: object, more: object = {}) {
  randomId += 1;
  const { updates } = await result(owner, 'phone.createGroupCall', { peer, randomId, ...more });
  const { id, accessHash } = updates.find(({ _ }: { _: string }) => _ === 'updateGroupCall').call;
  return { _: 'inputGroupCall', id, accessHash };
}

const SELF = { _: 'inputPeerSelf' };

function asUser({ userId }: SandboxAccount) {
  return { _: 'inputPeerUser', userId, accessHash: '0' };
}

function withSource(ssrc: number, more: object = {}) {
  return { _: 'dataJSON', data: JSON.stringify({ ssrc, ...more }) };
}

const VIDEO = { 'ssrc-groups': [{ semantics: 'SIM', sources: [71, 4_294_967_295] }] };

function join(account: SandboxAccount, call: object, ssrc: number, more: object = {}) {
  return result(account, 'phone.joinGroupCall', { call, joinAs: SELF, params: withSource(ssrc), ...more });
}

function edit(account: SandboxAccount, call: object, participant: object, changes: object) {
  return result(account, 'phone.editGroupCallParticipant', { call, participant, ...changes });
}

function manageCalls({ channel }: TestChannel, { userId }: SandboxAccount, manageCall: boolean) {
  return result(owner, 'channels.editAdmin', {
    channel,
    userId: { _: 'inputUser', userId, accessHash: '0' },
    adminRights: { _: 'chatAdminRights', manageCall },
    rank: '',
  });
}

it('holds a call: members join, are listed page by page, change, leave, and it ends for all', async () => {
  const group = await aGroup(member, third);
  const call = await aCall(group, { title: ' Weekly ' });
  expect((await updatesOf(member, 'RawUpdateGroupCall')).at(-1)).toMatchObject({
    peer: { _: 'peerChat', chatId: group.chatId },
    call: { _: 'groupCall', id: call.id, title: 'Weekly', participantsCount: 0 },
  });
  expect((await updatesOf(member, 'RawUpdateNewMessage')).at(-1).message.action).toMatchObject({
    _: 'messageActionGroupCall',
    call: { id: call.id },
  });

  const joined = await join(owner, call, 1);
  expect(joined.chats[0]).toMatchObject({ callActive: true });
  expect(joined.updates.map(({ _ }: { _: string }) => _)).toEqual([
    'updateGroupCallParticipants',
    'updateGroupCall',
    'updateGroupCallConnection',
  ]);
  await join(member, call, 4_000_000_000, { muted: true, params: withSource(4_000_000_000, VIDEO) });
  await join(third, call, 3);
  expect((await updatesOf(owner, 'RawUpdateGroupCallParticipants')).at(-2)).toMatchObject({
    version: 2,
    participants: [
      {
        justJoined: true,
        versioned: true,
        muted: true,
        canSelfUnmute: true,
        videoJoined: true,
        source: -294_967_296,
        video: { sourceGroups: [{ sources: [71, -1] }], audioSource: -294_967_296 },
      },
    ],
  });

  const first = await result(member, 'phone.getGroupCall', { call, limit: 2 });
  expect(first.call).toMatchObject({
    participantsCount: 3,
    version: 3,
    unmutedVideoCount: 1,
    creator: false,
  });
  expect(first.participants.map(({ peer }: { peer: { userId: number } }) => peer.userId)).toEqual([
    owner.userId,
    member.userId,
  ]);
  expect(first.participants[1]).toMatchObject({ self: true, muted: true });
  const rest = await result(member, 'phone.getGroupParticipants', {
    call,
    ids: [],
    sources: [],
    offset: first.participantsNextOffset,
    limit: 2,
  });
  expect(rest).toMatchObject({ count: 3, nextOffset: '', participants: [{ source: 3 }] });
  const named = await result(member, 'phone.getGroupParticipants', {
    call,
    ids: [asUser(owner)],
    sources: [3, 99],
    offset: '',
    limit: 10,
  });
  expect(named.participants.map(({ source }: { source: number }) => source)).toEqual([1, 3]);

  await result(third, 'phone.leaveGroupCall', { call, source: 3 });
  expect((await updatesOf(owner, 'RawUpdateGroupCallParticipants')).at(-1).participants).toMatchObject([
    { left: true, peer: { userId: third.userId } },
  ]);
  expect((await result(owner, 'phone.getGroupCall', { call, limit: 0 })).call.participantsCount).toBe(2);

  const ended = await result(owner, 'phone.discardGroupCall', { call });
  expect(ended.chats[0]).toMatchObject({ callActive: false });
  expect((await updatesOf(third, 'RawUpdateGroupCall')).at(-1).call).toMatchObject({
    _: 'groupCallDiscarded',
    id: call.id,
  });
  expect((await updatesOf(third, 'RawUpdateNewMessage')).at(-1).message.action).toMatchObject({
    _: 'messageActionGroupCall',
    duration: expect.any(Number),
  });
  const after = await result(member, 'phone.getGroupCall', { call, limit: 10 });
  expect(after.call).toEqual({ _: 'groupCallDiscarded', ...after.call, id: call.id });
  expect(await refusal(member, 'phone.leaveGroupCall', { call, source: 0 })).toBe('400 GROUPCALL_INVALID');
});

it('cuts a long title, and leaves no half of an emoji', async () => {
  const title = `${'x'.repeat(39)}😀`;
  const call = await aCall(await aGroup(member), { title });
  const { call: shown } = await result(member, 'phone.getGroupCall', { call, limit: 1 });
  expect(shown.title).toBe('x'.repeat(39));
});

it('joins a second time in its own place, with another source', async () => {
  const call = await aCall(await aGroup(member));
  await join(owner, call, 1);
  await join(member, call, 2);
  await join(owner, call, 5, { params: withSource(5, VIDEO) });
  await join(member, call, 1);
  const { participants, call: shown } = await result(owner, 'phone.getGroupCall', { call, limit: 5 });
  expect(participants).toMatchObject([{ source: 5 }, { source: 1 }]);
  expect(shown).toMatchObject({ participantsCount: 2, unmutedVideoCount: 1, version: 4 });
  await result(owner, 'phone.leaveGroupCall', { call, source: 0 });
  expect((await result(owner, 'phone.getGroupCall', { call, limit: 5 })).call).toMatchObject({
    participantsCount: 1,
    unmutedVideoCount: 0,
  });
});

it('lets an administrator take and give the microphone, and its owner raise a hand', async () => {
  const call = await aCall(await aGroup(member));
  await join(owner, call, 1);
  await join(member, call, 2);
  await edit(owner, call, asUser(member), { muted: true });
  expect((await updatesOf(member, 'RawUpdateGroupCallParticipants')).at(-1).participants).toMatchObject([
    { muted: true, self: true },
  ]);
  const unmute = { call, participant: SELF, muted: false };
  expect(await refusal(member, 'phone.editGroupCallParticipant', unmute)).toBe('403 GROUPCALL_FORBIDDEN');
  await edit(member, call, SELF, { raiseHand: true });
  const { participants } = await result(owner, 'phone.getGroupCall', { call, limit: 5 });
  expect(participants[1]).toMatchObject({ canSelfUnmute: false, raiseHandRating: expect.any(String) });
  await edit(owner, call, asUser(member), { muted: false, volume: 5_000 });
  await edit(member, call, SELF, { muted: false });
  const spoken = await result(owner, 'phone.getGroupCall', { call, limit: 5 });
  expect(spoken.participants[1]).toMatchObject({
    muted: false,
    canSelfUnmute: true,
    volume: 5_000,
    volumeByAdmin: true,
  });
  expect(spoken.participants[1]).not.toHaveProperty('raiseHandRating');
});

it('silences nobody who speaks by allowing it', async () => {
  const call = await aCall(await aGroup(member));
  await join(owner, call, 1);
  await join(member, call, 2);
  await edit(owner, call, asUser(member), { muted: false });
  const shown = async () => (await result(owner, 'phone.getGroupCall', { call, limit: 5 })).participants[1];
  expect(await shown()).toMatchObject({ muted: false, canSelfUnmute: true });
  await edit(owner, call, asUser(member), { muted: true });
  await edit(owner, call, asUser(member), { muted: false });
  expect(await shown()).toMatchObject({ muted: true, canSelfUnmute: true });
});

it('keeps who was muted from speaking if it joins again, until it has left', async () => {
  const group = await aChannel(sandbox, owner, { megagroup: true }, member);
  const call = await aCall(group.peer);
  await join(owner, call, 1);
  await join(member, call, 2);
  await edit(owner, call, asUser(member), { muted: true });
  await join(member, call, 3, { muted: false });
  const shown = async () => (await result(owner, 'phone.getGroupCall', { call, limit: 5 })).participants;
  expect((await shown())[1]).toMatchObject({ source: 3, muted: true, canSelfUnmute: false });
  // The same in another shape: it manages the channel that it appears as, but not the call.
  const { peer } = await aChannel(sandbox, member, {});
  await join(member, call, 4, { joinAs: peer });
  expect((await shown())[1]).toMatchObject({ source: 4, muted: true, canSelfUnmute: false });
  await result(member, 'phone.leaveGroupCall', { call, source: 0 });
  await join(member, call, 5);
  expect((await shown())[1]).toMatchObject({ source: 5, muted: false, canSelfUnmute: true });
});

it('never takes the microphone from who manages the call, not even by another administrator', async () => {
  const group = await aChannel(sandbox, owner, { megagroup: true }, member, third);
  await manageCalls(group, member, true);
  const call = await aCall(group.peer);
  for (const [i, account] of [owner, member, third].entries()) await join(account, call, i + 1);
  await edit(member, call, asUser(owner), { muted: true });
  await edit(member, call, asUser(third), { muted: true });
  const shown = async () => (await result(member, 'phone.getGroupCall', { call, limit: 5 })).participants;
  expect(await shown()).toMatchObject([
    { muted: true, canSelfUnmute: true },
    { muted: false },
    { muted: true, canSelfUnmute: false },
  ]);
  await edit(owner, call, SELF, { muted: false });
  await manageCalls(group, third, true);
  await edit(third, call, SELF, { muted: false });
  expect(await shown()).toMatchObject([
    { muted: false, canSelfUnmute: true },
    { muted: false },
    { muted: false, canSelfUnmute: true },
  ]);
});

it('keeps what a member sets of another one to itself', async () => {
  const call = await aCall(await aGroup(member));
  await join(owner, call, 1);
  await join(member, call, 2);
  await edit(member, call, asUser(owner), { muted: true, volume: 200 });
  const seen = await result(member, 'phone.getGroupCall', { call, limit: 1 });
  expect(seen.participants[0]).toMatchObject({ mutedByYou: true, volume: 200, muted: false });
  const { participants } = await result(owner, 'phone.getGroupCall', { call, limit: 1 });
  expect(participants[0]).toMatchObject({ mutedByYou: false, volumeByAdmin: false });
  expect(participants[0]).not.toHaveProperty('volume');
  await edit(owner, call, SELF, { muted: true });
  expect((await updatesOf(member, 'RawUpdateGroupCallParticipants')).at(-1).participants).toMatchObject([
    { mutedByYou: true, volume: 200, muted: true },
  ]);
});

it('stops, pauses and resumes a video', async () => {
  const call = await aCall(await aGroup(member));
  await join(owner, call, 1, { params: withSource(1, VIDEO) });
  await edit(owner, call, SELF, { videoPaused: true });
  const shown = async () => (await result(member, 'phone.getGroupCall', { call, limit: 1 })).participants[0];
  expect(await shown()).toMatchObject({ video: { paused: true } });
  await edit(owner, call, SELF, { videoStopped: true });
  expect(await shown()).toMatchObject({ videoJoined: false });
  await edit(owner, call, SELF, { videoStopped: false });
  expect(await shown()).toMatchObject({ videoJoined: true });
});

it('shows a new account its furnished, ended call, with every documented field', async () => {
  const call = { _: 'inputGroupCall', id: '1', accessHash: '0' };
  const first = await result(third, 'phone.getGroupCall', { call, limit: 1 });
  expect(first.call._).toBe('groupCallDiscarded');
  const fields = [
    'about',
    'activeDate',
    'paidStarsTotal',
    'presentation',
    'raiseHandRating',
    'video',
    'volume',
  ];
  for (const field of fields) expect(first.participants[0]).toHaveProperty(field);
  expect(first.chats).toHaveLength(1);
  const { participantsNextOffset: offset } = first;
  const rest = await result(third, 'phone.getGroupParticipants', {
    call,
    ids: [],
    sources: [],
    offset,
    limit: 9,
  });
  expect(rest.participants).toMatchObject([{ self: true, peer: { userId: third.userId } }]);
});

it('lets who follows a channel listen, and its administrator appear as the channel', async () => {
  const { chats } = await result(owner, 'channels.createChannel', {
    broadcast: true,
    title: 'Radio',
    about: 'On air',
  });
  const [{ id: channelId }] = chats;
  const channel = { _: 'inputPeerChannel', channelId, accessHash: '0' };
  const toJoin = { channel: { _: 'inputChannel', channelId, accessHash: '0' } };
  expect(await refusal(member, 'phone.createGroupCall', { peer: channel, randomId: 1 })).toBe(
    '400 CHANNEL_PRIVATE',
  );
  await result(owner, 'channels.updateUsername', { ...toJoin, username: 'radio_calls' });
  await result(member, 'channels.joinChannel', toJoin);
  const call = await aCall(channel, { rtmpStream: true });
  await join(owner, call, 1, { joinAs: channel });
  await join(member, call, 2);
  const shown = await result(member, 'phone.getGroupCall', { call, limit: 5 });
  expect(shown.call).toMatchObject({ rtmpStream: true, joinMuted: true, streamDcId: 1 });
  expect(shown.participants).toMatchObject([
    { peer: { _: 'peerChannel', channelId }, about: 'On air', muted: false },
    { peer: { _: 'peerUser', userId: member.userId }, muted: true, canSelfUnmute: false },
  ]);
  expect(shown.chats).toMatchObject([{ id: channelId, callActive: true }]);
  const changed = { call, participant: channel, muted: true };
  await result(owner, 'phone.editGroupCallParticipant', changed);
  expect(await refusal(third, 'phone.joinGroupCall', { call, joinAs: SELF, params: withSource(3) })).toBe(
    '403 GROUPCALL_FORBIDDEN',
  );
  await result(owner, 'phone.discardGroupCall', { call });
});

it('says that a participant has left as who it was when it appears as somebody else', async () => {
  const group = await aChannel(sandbox, owner, { megagroup: true }, member);
  const call = await aCall(group.peer);
  await join(member, call, 1);
  const { updates } = await join(owner, call, 2);
  const { version } = updates[0];
  await join(owner, call, 2, { joinAs: group.peer });
  const told = (await updatesOf(member, 'RawUpdateGroupCallParticipants')).slice(-2);
  expect(told).toMatchObject([
    { version: version + 1, participants: [{ left: true, peer: { userId: owner.userId } }] },
    { version: version + 2, participants: [{ justJoined: true, peer: { channelId: group.id } }] },
  ]);
  const shown = await result(member, 'phone.getGroupCall', { call, limit: 5 });
  expect(shown.call).toMatchObject({ participantsCount: 2, version: version + 2 });
});

it('tells who manages a call by the rights in the channel, whoever began it', async () => {
  const group = await aChannel(sandbox, owner, { megagroup: true }, member, third);
  await manageCalls(group, member, true);
  randomId += 1;
  const began = await result(member, 'phone.createGroupCall', { peer: group.peer, randomId });
  const { call: shown } = began.updates.find(({ _ }: { _: string }) => _ === 'updateGroupCall');
  const call = { _: 'inputGroupCall', id: shown.id, accessHash: shown.accessHash };
  await manageCalls(group, member, false);
  await manageCalls(group, third, true);
  const joined = await join(third, call, 3);
  expect(joined.updates[1].call).toMatchObject({ canChangeJoinMuted: true });
  const { updates } = await sandbox.watch(owner, () => join(member, call, 2));
  const told = updates.filter(({ update }) => update._ === 'updateGroupCall');
  const managers = told.filter(({ update }) => update.call.canChangeJoinMuted);
  expect(told.map(({ accountId }) => accountId).sort()).toEqual([owner.id, member.id, third.id].sort());
  expect(managers.map(({ accountId }) => accountId).sort()).toEqual([owner.id, third.id].sort());
});

it('lets nobody manage a call who is demoted meanwhile', async () => {
  const { channel, peer } = await aChannel(sandbox, owner, { megagroup: true }, member, third);
  const appoint = (rights: object) =>
    result(owner, 'channels.editAdmin', {
      channel,
      userId: { ...asUser(member), _: 'inputUser' },
      adminRights: { _: 'chatAdminRights', ...rights },
      rank: '',
    });
  const refuse = async (name: string, params: object) => {
    await appoint({ manageCall: true });
    beforeCommitOf(sandbox, `phone.${name}`, () => appoint({}));
    return refusal(member, `phone.${name}`, params);
  };
  const own = { peer, randomId: 4_001 };
  expect(await refuse('createGroupCall', own)).toBe('400 CHAT_ADMIN_REQUIRED');
  const planned = await aCall(peer, { scheduleDate: Math.floor(Date.now() / 1_000) + 3_600 });
  expect(await refuse('startScheduledGroupCall', { call: planned })).toBe('403 GROUPCALL_FORBIDDEN');
  await appoint({ manageCall: true });
  afterListIn(sandbox, 'phone.startScheduledGroupCall', () => appoint({}), 'hkeys');
  expect(await refusal(member, 'phone.startScheduledGroupCall', { call: planned })).toBe(
    '403 GROUPCALL_FORBIDDEN',
  );
  await result(owner, 'phone.startScheduledGroupCall', { call: planned });
  await join(member, planned, 41);
  await join(third, planned, 42);
  const muting = { call: planned, participant: asUser(third), muted: true };
  await appoint({ manageCall: true });
  beforeCommitOf(sandbox, 'phone.editGroupCallParticipant', () => appoint({}));
  await result(member, 'phone.editGroupCallParticipant', muting);
  const { participants } = await result(third, 'phone.getGroupCall', { call: planned, limit: 10 });
  expect(participants).toMatchObject([{ source: 41 }, { source: 42, canSelfUnmute: true }]);
  expect(await refuse('discardGroupCall', { call: planned })).toBe('403 GROUPCALL_FORBIDDEN');
  const streaming = { peer, revoke: true };
  expect(await refuse('getGroupCallStreamRtmpUrl', streaming)).toBe('400 CHAT_ADMIN_REQUIRED');
});

it('lets nobody appear as a channel that it manages no longer by then', async () => {
  const call = await aCall(await aGroup(member));
  const station = await aChannel(sandbox, owner, { broadcast: true }, member);
  await manageCalls(station, member, true);
  const joining = { call, joinAs: station.peer, params: withSource(51) };
  beforeCommitOf(sandbox, 'phone.joinGroupCall', () => manageCalls(station, member, false));
  expect(await refusal(member, 'phone.joinGroupCall', joining)).toBe('400 JOIN_AS_PEER_INVALID');
});

it('changes nobody in a call that ends meanwhile', async () => {
  const call = await aCall(await aGroup(member));
  await join(owner, call, 1);
  await join(member, call, 2);
  const discard = () => result(owner, 'phone.discardGroupCall', { call });
  beforeCommitOf(sandbox, 'phone.editGroupCallParticipant', discard);
  const muting = { call, participant: SELF, muted: true };
  expect(await refusal(member, 'phone.editGroupCallParticipant', muting)).toBe('400 GROUPCALL_INVALID');
});

it('keeps both of two settings that somebody makes at once of how it hears another', async () => {
  const call = await aCall(await aGroup(member, third));
  await join(member, call, 1);
  await join(third, call, 2);
  beforeCommitOf(sandbox, 'phone.editGroupCallParticipant', () =>
    edit(member, call, asUser(third), { volume: 5_000 }),
  );
  await edit(member, call, asUser(third), { muted: true });
  const seen = { call, ids: [asUser(third)], sources: [], offset: '', limit: 1 };
  const { participants } = await result(member, 'phone.getGroupParticipants', seen);
  expect(participants).toMatchObject([{ mutedByYou: true, volume: 5_000 }]);
});

it('shows the bio of who joins', async () => {
  const speaker = await sandbox.anAccount('Speaker', { workspaceId });
  const call = await aCall(await aGroup(speaker));
  await result(speaker, 'account.updateProfile', { about: 'Sings' });
  await join(speaker, call, 1);
  const { participants } = await result(owner, 'phone.getGroupCall', { call, limit: 5 });
  expect(participants).toMatchObject([{ peer: { userId: speaker.userId }, about: 'Sings' }]);
});

it('refuses foreign access hashes and aliases of an account with strict peers', async () => {
  const strict = await sandbox.anAccount('Account', { workspaceId, strictPeers: true });
  const get = (id: string) =>
    refusal(strict, 'phone.getGroupCall', { call: { _: 'inputGroupCall', id, accessHash: '0' }, limit: 1 });
  const users = [{ _: 'inputUser', userId: strict.userId, accessHash: '0' }];
  const { updates } = await result(owner, 'messages.createChat', { users, title: 'Strict' });
  const call = await aCall({ _: 'inputPeerChat', chatId: updates.chats[0].id });
  expect(await get('1')).toBe('400 GROUPCALL_INVALID');
  expect(await get(call.id)).toBe('400 GROUPCALL_INVALID');
  await result(strict, 'phone.getGroupCall', { call, limit: 1 });
});

it('lets nobody into a scheduled call before it is started', async () => {
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  const call = await aCall(await aGroup(member), { scheduleDate });
  expect((await updatesOf(member, 'RawUpdateNewMessage')).at(-1).message.action).toMatchObject({
    _: 'messageActionGroupCallScheduled',
    scheduleDate,
  });
  const joining = { call, joinAs: SELF, params: withSource(1) };
  expect(await refusal(member, 'phone.joinGroupCall', joining)).toBe('403 GROUPCALL_FORBIDDEN');
  expect(await refusal(member, 'phone.startScheduledGroupCall', { call })).toBe('403 GROUPCALL_FORBIDDEN');
  await result(owner, 'phone.startScheduledGroupCall', { call });
  expect((await updatesOf(member, 'RawUpdateGroupCall')).at(-1).call).not.toHaveProperty('scheduleDate');
  await result(member, 'phone.joinGroupCall', joining);
  expect(await refusal(owner, 'phone.startScheduledGroupCall', { call })).toBe(
    '403 GROUPCALL_ALREADY_STARTED',
  );
});

it('says that a scheduled call that is canceled has lasted no time', async () => {
  const peer = await aGroup(member);
  const call = await aCall(peer, { scheduleDate: Math.floor(Date.now() / 1_000) + 3_600 });
  const key = stateKey(workspaceId, GROUP_CALLS);
  const record = JSON.parse((await sandbox.redis.hget(key, call.id)) ?? '');
  await sandbox.redis.hset(key, call.id, JSON.stringify({ ...record, date: record.date - 1_000 }));
  const { updates } = await result(owner, 'phone.discardGroupCall', { call });
  expect(updates).toMatchObject([
    { call: { _: 'groupCallDiscarded', duration: 0 } },
    { message: { action: { _: 'messageActionGroupCall', duration: 0 } } },
  ]);
});

it('takes a call of a deleted channel, asked for again, for one that has ended', async () => {
  const { channel, peer } = await aChannel(sandbox, owner, { megagroup: true });
  await result(owner, 'phone.createGroupCall', { peer, randomId: 78 });
  await result(owner, 'channels.deleteChannel', { channel });
  const again = { peer: await aGroup(member), randomId: 78 };
  expect(await refusal(owner, 'phone.createGroupCall', again)).toBe('400 GROUPCALL_ALREADY_DISCARDED');
});

it('ends the call of a basic group that is deleted, for everybody in it', async () => {
  const peer = await aGroup(member);
  const call = await aCall(peer);
  await join(member, call, 31);
  await result(owner, 'messages.deleteChat', { chatId: peer.chatId });
  const told = (await updatesOf(member, 'RawUpdateGroupCall')).at(-1);
  expect(told).toMatchObject({
    peer: { chatId: peer.chatId },
    call: { _: 'groupCallDiscarded', id: call.id },
  });
  const { chats } = await result(member, 'messages.getDialogs', {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: 100,
    hash: '0',
  });
  const shown = chats.find(({ id }: { id: number }) => id === peer.chatId);
  expect(shown).toMatchObject({ left: true, callActive: false });
});

it('takes a call asked for twice with one randomId for one', async () => {
  const peer = await aGroup(member);
  const params = { peer, randomId: 77 };
  const shown = (answer: { updates: { call: { id: string } }[] }) => answer.updates[0]?.call.id;
  const first = await result(owner, 'phone.createGroupCall', params);
  const again = await result(owner, 'phone.createGroupCall', params);
  expect(shown(again)).toBe(shown(first));
  const call = { _: 'inputGroupCall', id: shown(first), accessHash: '0' };
  await result(owner, 'phone.discardGroupCall', { call });
  expect(await refusal(owner, 'phone.createGroupCall', params)).toBe('400 GROUPCALL_ALREADY_DISCARDED');
});

it('takes a call of another group for another one, though its randomId is the same', async () => {
  const [first, second] = [await aGroup(member), await aGroup(member)];
  const create = (peer: object) => result(owner, 'phone.createGroupCall', { peer, randomId: 79 });
  await create(first);
  const { updates, chats } = await create(second);
  expect(updates[0].peer).toEqual({ _: 'peerChat', chatId: second.chatId });
  expect(chats).toMatchObject([{ id: second.chatId, callActive: true }]);
  expect((await create(second)).updates).toMatchObject([{ call: { id: updates[0].call.id } }]);
});

function ban({ channel }: TestChannel, user: SandboxAccount) {
  const bannedRights = { _: 'chatBannedRights', viewMessages: true, untilDate: 0 };
  return result(owner, 'channels.editBanned', { channel, participant: asUser(user), bannedRights });
}

describe('who is no longer in the group is no longer in its call, after', () => {
  let leaver: SandboxAccount;
  beforeEach(async () => {
    leaver = await sandbox.anAccount('Leaver', { workspaceId });
  });

  async function expectLeaving(peer: object, leave: () => Promise<unknown>) {
    const call = await aCall(peer);
    await join(leaver, call, 2, { params: withSource(2, VIDEO) });
    const { updates } = await sandbox.watch(owner, leave);
    const left = updates.filter(({ update }) => update._ === 'updateGroupCallParticipants');
    expect(left.map(({ accountId }) => accountId).sort()).toEqual([leaver.id, owner.id].sort());
    for (const { update } of left)
      expect(update.participants).toMatchObject([{ left: true, peer: { userId: leaver.userId } }]);
    const joined = await sandbox.watch(owner, () => join(owner, call, 2));
    expect(joined.updates.filter(({ accountId }) => accountId === leaver.id)).toEqual([]);
    const shown = await result(owner, 'phone.getGroupCall', { call, limit: 5 });
    expect(shown.call).toMatchObject({ participantsCount: 1, unmutedVideoCount: 0 });
    expect(shown.participants).toMatchObject([{ peer: { userId: owner.userId } }]);
  }

  const reset = async () => {
    while (!(await sandbox.order(leaver, 'resetAccount')).done);
  };

  it('it was banned', async () => {
    const group = await aChannel(sandbox, owner, { megagroup: true }, leaver);
    await expectLeaving(group.peer, () => ban(group, leaver));
  });

  it('it left a supergroup', async () => {
    const { peer, channel } = await aChannel(sandbox, owner, { megagroup: true }, leaver);
    await expectLeaving(peer, () => result(leaver, 'channels.leaveChannel', { channel }));
  });

  it('it left a basic group, or was removed from it', async () => {
    const group = await aGroup(leaver);
    const userId = { _: 'inputUser', userId: leaver.userId, accessHash: '0' };
    const params = { chatId: group.chatId, userId };
    await expectLeaving(group, () => result(leaver, 'messages.deleteChatUser', params));
    const other = await aGroup(leaver);
    const removed = { ...params, chatId: other.chatId };
    await expectLeaving(other, () => result(owner, 'messages.deleteChatUser', removed));
  });

  it('a reset', async () => {
    const { peer } = await aChannel(sandbox, owner, { megagroup: true }, leaver);
    await expectLeaving(peer, reset);
    await expectLeaving(await aGroup(leaver), reset);
  });

  it('a ban while it joins, or a join while it is banned', async () => {
    const first = await aChannel(sandbox, owner, { megagroup: true }, leaver);
    const joining = { call: await aCall(first.peer), joinAs: SELF, params: withSource(2) };
    beforeCommitOf(sandbox, 'phone.joinGroupCall', () => ban(first, leaver));
    expect(await refusal(leaver, 'phone.joinGroupCall', joining)).toBe('403 GROUPCALL_FORBIDDEN');
    const second = await aChannel(sandbox, owner, { megagroup: true }, leaver);
    const call = await aCall(second.peer);
    beforeCommitOf(sandbox, 'channels.editBanned', () => join(leaver, call, 2));
    await ban(second, leaver);
    const shown = await result(owner, 'phone.getGroupCall', { call, limit: 5 });
    expect(shown).toMatchObject({ call: { participantsCount: 0 }, participants: [] });
  });
});

describe('refuses', () => {
  it('to create a call where it may not be', async () => {
    const group = await aGroup(member);
    const create = (account: SandboxAccount, params: object) =>
      refusal(account, 'phone.createGroupCall', { randomId: 1_000, ...params });
    expect(await create(owner, { peer: { _: 'inputPeerEmpty' } })).toBe('400 PEER_ID_INVALID');
    expect(await create(member, { peer: group })).toBe('400 CHAT_ADMIN_REQUIRED');
    const before = { peer: group, scheduleDate: 1_000 };
    expect(await create(owner, before)).toBe('400 SCHEDULE_DATE_INVALID');
    await aCall(group);
    expect(await create(owner, { peer: group })).toBe('400 CREATE_CALL_FAILED');
  });

  it('to join what has ended, is not there, is closed to it, or with wrong media', async () => {
    const call = await aCall(await aGroup(member));
    const joining = (account: SandboxAccount, params: object) =>
      refusal(account, 'phone.joinGroupCall', { call, joinAs: SELF, params: withSource(9), ...params });
    expect(await joining(third, {})).toBe('403 GROUPCALL_FORBIDDEN');
    expect(await joining(member, { params: { _: 'dataJSON', data: '{' } })).toBe('400 DATA_JSON_INVALID');
    expect(await joining(member, { params: { _: 'dataJSON', data: '{}' } })).toBe('400 DATA_JSON_INVALID');
    // Half of a character, as JSON may name it.
    const group = '{"semantics":"\\ud800","sources":[9]}';
    const halved = { _: 'dataJSON', data: `{"ssrc":9,"ssrc-groups":[${group}]}` };
    expect(await joining(member, { params: halved })).toBe('400 DATA_JSON_INVALID');
    expect(await joining(member, { joinAs: asUser(owner) })).toBe('400 JOIN_AS_PEER_INVALID');
    const none = { _: 'inputGroupCall', id: '2', accessHash: '0' };
    expect(await joining(member, { call: none })).toBe('400 GROUPCALL_INVALID');
    await join(owner, call, 9);
    expect(await joining(member, {})).toBe('400 GROUPCALL_SSRC_DUPLICATE_MUCH');
    await result(owner, 'phone.discardGroupCall', { call });
    expect(await joining(member, {})).toBe('403 GROUPCALL_FORBIDDEN');
  });

  it('to change or end what it may not', async () => {
    const call = await aCall(await aGroup(member));
    const editing = (account: SandboxAccount, participant: object, changes: object) =>
      refusal(account, 'phone.editGroupCallParticipant', { call, participant, ...changes });
    expect(await editing(owner, SELF, { muted: true })).toBe('400 PARTICIPANT_JOIN_MISSING');
    await join(owner, call, 1);
    await join(member, call, 2);
    expect(await editing(owner, SELF, { volume: 0 })).toBe('400 USER_VOLUME_INVALID');
    expect(await editing(owner, SELF, { raiseHand: true })).toBe('400 RAISE_HAND_FORBIDDEN');
    expect(await editing(owner, asUser(member), { videoPaused: true })).toBe('400 VIDEO_PAUSE_FORBIDDEN');
    expect(await editing(owner, SELF, { videoStopped: true })).toBe('400 VIDEO_STOP_FORBIDDEN');
    expect(await editing(third, SELF, { muted: true })).toBe('403 GROUPCALL_FORBIDDEN');
    expect(await refusal(member, 'phone.discardGroupCall', { call })).toBe('403 GROUPCALL_FORBIDDEN');
    expect(await refusal(third, 'phone.getGroupCall', { call, limit: 1 })).toBe('403 GROUPCALL_FORBIDDEN');
    expect(await refusal(owner, 'phone.getGroupCall', { call, limit: -1 })).toBe('400 LIMIT_INVALID');
    await result(owner, 'phone.discardGroupCall', { call });
    expect(await refusal(owner, 'phone.discardGroupCall', { call })).toBe('400 GROUPCALL_ALREADY_DISCARDED');
  });
});

it('leaves nothing behind when its channel is deleted after it has ended', async () => {
  const { peer, channel, id } = await aChannel(sandbox, owner, { megagroup: true }, member);
  const ids: string[] = [];
  while (ids.length < 10) {
    const call = await aCall(peer);
    await join(member, call, 800 + ids.length);
    await result(owner, 'phone.discardGroupCall', { call });
    ids.push(call.id);
  }
  const key = (name: string) => stateKey(workspaceId, name);
  const kept = async () => {
    const keys = await Promise.all(ids.map((one) => sandbox.redis.keys(key(`call-*:${one}`))));
    const records = await sandbox.redis.hmget(key(GROUP_CALLS), ...ids);
    return [keys.flat().length > 0, records.some((record) => record !== null)];
  };
  expect(await kept()).toEqual([true, true]);
  await result(owner, 'channels.deleteChannel', { channel });
  while ((await sandbox.redis.zscore(key(DUE), `closed:${id}`)) !== null) {
    await sandbox.redis.zadd(key(DUE), 1, `closed:${id}`);
    await sandbox.order({ ...owner, id: '', userId: 0 }, 'doDueWork');
  }
  expect(await kept()).toEqual([false, false]);
});
