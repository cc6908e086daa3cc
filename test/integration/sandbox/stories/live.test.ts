import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { stateKey } from '../../../../src/redis/keys.ts';
import { dialogsKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import {
  ACTIVE_CALLS,
  callOrderKey,
  callParticipantsKey,
  liveCallsKey,
  ownSourceField,
} from '../../../../workers/sandbox/model/group-calls/keys.ts';
import { contactsKey, USERS } from '../../../../workers/sandbox/model/people/keys.ts';
import { storiesKey } from '../../../../workers/sandbox/model/stories/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { afterListIn, beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let host: SandboxAccount;
let friend: SandboxAccount;
let stranger: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const id = newId('workspace');
  [host, friend, stranger] = (await Promise.all([
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
  ])) as [SandboxAccount, SandboxAccount, SandboxAccount];
  await result(host, 'contacts.addContact', {
    id: userOf(friend),
    firstName: 'Friend',
    lastName: '',
    phone: '',
  });
  await result(host, 'messages.sendMessage', { peer: peerOf(stranger), message: 'hello' });
});

afterAll(() => sandbox.close());

const result = (account: SandboxAccount, method: string, params: object) =>
  sandbox.call(account, method, params);
const refused = (account: SandboxAccount, method: string, params: object) =>
  sandbox.refusal(account, method, params);
const peerOf = ({ userId }: SandboxAccount) => ({ _: 'inputPeerUser', userId, accessHash: '0' });
const userOf = ({ userId }: SandboxAccount) => ({ _: 'inputUser', userId, accessHash: '0' });

const OWN = { _: 'inputPeerEmpty' };
const CONTACTS = [{ _: 'inputPrivacyValueAllowContacts' }];
const ALL = [{ _: 'inputPrivacyValueAllowAll' }];

let sent = 100;

function start(more: object = {}) {
  sent += 1;
  const params = { peer: OWN, privacyRules: CONTACTS, randomId: String(sent), ...more };
  return result(host, 'stories.startLive', params);
}

async function storiesSeenBy(account: SandboxAccount) {
  const { stories } = await result(account, 'stories.getPeerStories', { peer: peerOf(host) });
  return stories.stories;
}

async function lastStoryUpdate(account: SandboxAccount) {
  const found = await sandbox.updatesOf(account);
  return found.filter(({ _ }) => _ === 'updateStory').at(-1);
}

it('shows a live story to contacts and to nobody else', async () => {
  expect(await start({ caption: 'On air' })).toEqual({ _: 'updatesTooLong' });
  const [own] = await storiesSeenBy(host);
  expect(own).toMatchObject({
    out: true,
    contacts: true,
    caption: 'On air',
    privacy: [{ _: 'privacyValueAllowContacts' }],
    media: { _: 'messageMediaVideoStream', rtmpStream: false, call: { _: 'inputGroupCall' } },
  });
  expect(await storiesSeenBy(friend)).toMatchObject([{ id: own.id, out: false, contacts: true }]);
  expect(await storiesSeenBy(stranger)).toEqual([]);
  expect(await lastStoryUpdate(host)).toMatchObject({ story: { id: own.id, out: true } });
  expect(await lastStoryUpdate(friend)).toMatchObject({
    peer: { _: 'peerUser', userId: host.userId },
    story: { id: own.id },
  });
  expect(await lastStoryUpdate(stranger)).toBeUndefined();
});

it('is listed until it expires, pinned or not', async () => {
  const stories = stateKey(host.workspaceId, storiesKey(`u${host.userId}`));
  for (const pinned of [false, true]) {
    await start({ pinned });
    const [{ id }] = await storiesSeenBy(host);
    const story = JSON.parse((await sandbox.redis.hget(stories, String(id))) ?? '');
    story.item.expireDate = Math.floor(Date.now() / 1_000);
    await sandbox.redis.hset(stories, String(id), JSON.stringify(story));
    expect(await storiesSeenBy(host)).toEqual([]);
  }
});

it('puts a group call behind it, which viewers join muted and which ends with it', async () => {
  await start({ messagesEnabled: false, sendPaidMessagesStars: '5' });
  const [{ media, id }] = await storiesSeenBy(friend);
  const { call } = media;
  const shown = await result(friend, 'phone.getGroupCall', { call, limit: 1 });
  expect(shown.call).toMatchObject({ messagesEnabled: false, sendPaidMessagesStars: '5', joinMuted: true });
  expect(await refused(stranger, 'phone.getGroupCall', { call, limit: 1 })).toBe('GROUPCALL_FORBIDDEN');
  const params = { _: 'dataJSON', data: '{"ssrc":7}' };
  await result(friend, 'phone.joinGroupCall', { call, joinAs: { _: 'inputPeerSelf' }, params });
  const joined = (await sandbox.updatesOf(host)).at(-1);
  const { participants } = await result(host, 'phone.getGroupCall', { call, limit: 1 });
  expect(participants).toMatchObject([
    { muted: true, canSelfUnmute: false, peer: { userId: friend.userId } },
  ]);
  expect(joined).toMatchObject({ _: 'updateGroupCall', liveStory: true, call: { participantsCount: 1 } });

  await result(host, 'phone.discardGroupCall', { call });
  expect(await storiesSeenBy(friend)).toEqual([]);
  expect(await lastStoryUpdate(friend)).toMatchObject({ story: { _: 'storyItemDeleted', id } });
});

it('ends the story that goes on when another one starts', async () => {
  await start();
  const [first] = await storiesSeenBy(friend);
  await start({ rtmpStream: true });
  const left = await storiesSeenBy(friend);
  expect(left).toMatchObject([{ id: first.id + 1, media: { rtmpStream: true } }]);
  const ended = await result(host, 'phone.getGroupCall', { call: first.media.call, limit: 0 });
  expect(ended.call._).toBe('groupCallDiscarded');
  const seen = (await sandbox.updatesOf(friend)).filter(({ _ }) => _ === 'updateStory').slice(-2);
  expect(seen).toMatchObject([
    { story: { _: 'storyItemDeleted', id: first.id } },
    { story: { _: 'storyItem', id: first.id + 1 } },
  ]);
});

it('keeps each privacy rule', async () => {
  const sees = async (...privacyRules: object[]) => {
    await start({ privacyRules });
    const [byFriend, byStranger] = [await storiesSeenBy(friend), await storiesSeenBy(stranger)];
    return [byFriend.length, byStranger.length];
  };
  const users = [userOf(friend)];
  expect(await sees(...ALL)).toEqual([1, 1]);
  expect(await lastStoryUpdate(stranger)).toMatchObject({ story: { public: true } });
  expect(await sees(...ALL, { _: 'inputPrivacyValueDisallowUsers', users })).toEqual([0, 1]);
  expect(await sees(...ALL, { _: 'inputPrivacyValueDisallowContacts' })).toEqual([0, 1]);
  expect(await sees({ _: 'inputPrivacyValueAllowUsers', users: [userOf(stranger)] })).toEqual([0, 1]);
  expect(await sees({ _: 'inputPrivacyValueDisallowAll' })).toEqual([0, 0]);
  const { updates } = await result(host, 'messages.createChat', {
    users: [userOf(stranger)],
    title: 'Crew',
  });
  const chats = [updates.chats[0].id];
  expect(await sees({ _: 'inputPrivacyValueAllowChatParticipants', chats })).toEqual([0, 1]);
  expect(await storiesSeenBy(stranger)).toMatchObject([{ selectedContacts: true }]);
  const { id } = await aChannel(sandbox, host, { megagroup: true }, stranger);
  expect(await sees({ _: 'inputPrivacyValueAllowChatParticipants', chats: [id] })).toEqual([0, 1]);
  const [shown] = await storiesSeenBy(stranger);
  expect(await lastStoryUpdate(stranger)).toMatchObject({ story: { id: shown.id } });
  expect(await sees(...ALL, { _: 'inputPrivacyValueDisallowChatParticipants', chats: [id] })).toEqual([1, 0]);
});

it('shows a live story to close friends only, if the rules say so', async () => {
  const privacyRules = [{ _: 'inputPrivacyValueAllowCloseFriends' }];
  const befriend = (...id: number[]) => result(host, 'contacts.editCloseFriends', { id });
  await befriend();
  await start({ privacyRules });
  expect(await storiesSeenBy(friend)).toEqual([]);
  await befriend(friend.userId);
  await start({ privacyRules });
  const [seen] = await storiesSeenBy(friend);
  expect(seen).toMatchObject({ closeFriends: true });
  expect(await lastStoryUpdate(friend)).toMatchObject({ story: { _: 'storyItem', id: seen.id } });
  expect(await storiesSeenBy(stranger)).toEqual([]);
  await befriend();
});

it('shows a live story to nobody whom its owner has blocked, and lets nobody blocked go on with it', async () => {
  await start({ privacyRules: ALL });
  const [{ media, id }] = await storiesSeenBy(friend);
  const { call } = media;
  const params = { _: 'dataJSON', data: '{"ssrc":9}' };
  const joining = { call, joinAs: { _: 'inputPeerSelf' }, params };
  await result(friend, 'phone.joinGroupCall', joining);
  await result(host, 'contacts.block', { id: peerOf(friend) });
  const left = (await sandbox.updatesOf(friend)).at(-1);
  expect(left).toMatchObject({ participants: [{ left: true, peer: { userId: friend.userId } }] });
  expect(await storiesSeenBy(friend)).toEqual([]);
  expect(await refused(friend, 'phone.joinGroupCall', joining)).toBe('GROUPCALL_FORBIDDEN');
  await start({ privacyRules: ALL });
  expect(await lastStoryUpdate(friend)).toMatchObject({ story: { id } });

  await result(host, 'contacts.unblock', { id: peerOf(friend) });
  const [next] = await storiesSeenBy(friend);
  const meanwhile = { ...joining, call: next.media.call };
  const blocking = () => result(host, 'contacts.block', { id: peerOf(friend) });
  beforeCommitOf(sandbox, 'phone.joinGroupCall', blocking);
  expect(await refused(friend, 'phone.joinGroupCall', meanwhile)).toBe('GROUPCALL_FORBIDDEN');
  await result(host, 'contacts.unblock', { id: peerOf(friend) });
  beforeCommitOf(sandbox, 'contacts.block', () => result(friend, 'phone.joinGroupCall', meanwhile));
  await blocking();
  const { participants } = await result(host, 'phone.getGroupCall', { call: next.media.call, limit: 10 });
  expect(participants).toEqual([]);
  await result(host, 'contacts.unblock', { id: peerOf(friend) });
});

it('tells nobody whom the rules leave out, however many contacts there are', async () => {
  const { workspaceId, userId } = host;
  const key = stateKey(workspaceId, contactsKey(userId));
  const ids = Array.from({ length: 1_000 }, (_, n) => String(5_000_000 + n));
  const record = JSON.stringify({ mutual: false });
  await sandbox.redis.hset(key, Object.fromEntries(ids.map((id) => [id, record])));
  // The scan of a large hash finds some of its fields only; these users are among the dialogs, too.
  const found = new Set((await sandbox.redis.hscan(key, 0, 'COUNT', 200))[1]);
  const hidden = ids.filter((id) => !found.has(id)).slice(0, 20);
  const user = (await sandbox.redis.hget(stateKey(workspaceId, USERS), String(stranger.userId))) as string;
  for (const id of hidden) {
    const seen = JSON.stringify({ ...JSON.parse(user), id: Number(id), accountId: null });
    await sandbox.redis.hset(stateKey(workspaceId, USERS), id, seen);
    await sandbox.redis.zadd(stateKey(workspaceId, dialogsKey(userId)), 1, `u${id}`);
  }
  const privacyRules = [{ _: 'inputPrivacyValueDisallowContacts' }, ...ALL];
  const { updates } = await sandbox.watch(host, () => start({ privacyRules }));
  const told = updates.filter(({ update }) => update.story?._ === 'storyItem').map((one) => one.userId);
  expect(told.filter((id) => hidden.includes(String(id)))).toEqual([]);
  expect(await lastStoryUpdate(stranger)).toMatchObject({ story: { _: 'storyItem' } });
  await sandbox.redis.hdel(key, ...ids);
  await sandbox.redis.zrem(stateKey(workspaceId, dialogsKey(userId)), ...hidden.map((id) => `u${id}`));
});

it('gives a stream key that stays until it is revoked', async () => {
  const key = async (revoke: boolean) =>
    (await result(host, 'phone.getGroupCallStreamRtmpUrl', { peer: OWN, liveStory: true, revoke })).key;
  const first = await key(false);
  expect(await key(false)).toBe(first);
  const second = await key(true);
  expect(second).not.toBe(first);
  expect(await key(false)).toBe(second);
});

describe('refuses', () => {
  const starting = (account: SandboxAccount, params: object) =>
    refused(account, 'stories.startLive', { peer: OWN, privacyRules: ALL, randomId: '1', ...params });

  it('stories of other users and groups, and rules that contradict each other', async () => {
    expect(await starting(host, { peer: peerOf(friend) })).toBe('PEER_ID_INVALID');
    expect(await starting(host, { peer: { _: 'inputPeerChat', chatId: 1 } })).toBe('PEER_ID_INVALID');
    expect(await starting(host, { privacyRules: [] })).toBe('PRIVACY_VALUE_INVALID');
    const both = [...ALL, { _: 'inputPrivacyValueDisallowAll' }];
    expect(await starting(host, { privacyRules: both })).toBe('PRIVACY_VALUE_INVALID');
    expect(await starting(host, { caption: 'x'.repeat(2_049) })).toBe('MEDIA_CAPTION_TOO_LONG');
  });

  it('a second story with the same randomId', async () => {
    await start({ randomId: '9' });
    expect(await starting(host, { randomId: '9' })).toBe('RANDOM_ID_DUPLICATE');
  });

  it('peers that cannot be streamed for, or seen', async () => {
    const url = (account: SandboxAccount, peer: object) =>
      refused(account, 'phone.getGroupCallStreamRtmpUrl', { peer, revoke: false });
    expect(await url(host, OWN)).toBe('PEER_ID_INVALID');
    const { updates } = await result(host, 'messages.createChat', {
      users: [userOf(friend)],
      title: 'Crew',
    });
    const group = { _: 'inputPeerChat', chatId: updates.chats[0].id };
    expect(await url(friend, group)).toBe('CHAT_ADMIN_REQUIRED');
    const nobody = { _: 'inputPeerUser', userId: 5, accessHash: '0' };
    expect(await refused(host, 'stories.getPeerStories', { peer: nobody })).toBe('PEER_ID_INVALID');
    const nowhere = { _: 'inputPeerChannel', channelId: 5, accessHash: '0' };
    expect(await refused(host, 'stories.getPeerStories', { peer: nowhere })).toBe('CHANNEL_INVALID');
  });
});

it('shows the live story of a channel to its followers, whatever the rules', async () => {
  const { chats } = await result(host, 'channels.createChannel', { broadcast: true, title: 'TV', about: '' });
  const [{ id: channelId }] = chats;
  const peer = { _: 'inputPeerChannel', channelId, accessHash: '0' };
  const channel = { _: 'inputChannel', channelId, accessHash: '0' };
  expect(await refused(friend, 'stories.getPeerStories', { peer })).toBe('CHANNEL_PRIVATE');
  await result(host, 'channels.updateUsername', { channel, username: 'live_channel' });
  await result(friend, 'channels.joinChannel', { channel });
  const params = { peer, privacyRules: ALL, randomId: '5000' };
  expect(await refused(friend, 'stories.startLive', params)).toBe('CHAT_ADMIN_REQUIRED');
  await start({ peer, randomId: '5001' });
  const { stories } = await result(friend, 'stories.getPeerStories', { peer });
  expect(stories).toMatchObject({
    peer: { channelId },
    stories: [{ id: 1, fromId: { userId: host.userId } }],
  });
  expect(await lastStoryUpdate(friend)).toMatchObject({ peer: { _: 'peerChannel', channelId } });
  const { call } = stories.stories[0].media;
  await result(friend, 'phone.getGroupCall', { call, limit: 1 });
  await result(host, 'phone.discardGroupCall', { call });
  expect((await result(friend, 'stories.getPeerStories', { peer })).stories.stories).toEqual([]);
});

it('lets nobody who is banned from a public channel into its live story', async () => {
  const { channel, peer } = await aChannel(sandbox, host, { broadcast: true });
  await result(host, 'channels.updateUsername', { channel, username: 'banning_channel' });
  await start({ peer, randomId: '6000' });
  const { stories } = await result(stranger, 'stories.getPeerStories', { peer });
  const params = { _: 'dataJSON', data: '{"ssrc":3}' };
  const joining = { call: stories.stories[0].media.call, joinAs: { _: 'inputPeerSelf' }, params };
  const ban = (viewMessages: boolean) =>
    result(host, 'channels.editBanned', {
      channel,
      participant: peerOf(stranger),
      bannedRights: { _: 'chatBannedRights', viewMessages, untilDate: 0 },
    });
  await result(stranger, 'phone.joinGroupCall', joining);
  await ban(true);
  const shown = await result(host, 'phone.getGroupCall', { call: joining.call, limit: 1 });
  expect(shown).toMatchObject({ call: { participantsCount: 0 }, participants: [] });
  expect(await refused(stranger, 'phone.joinGroupCall', joining)).toBe('GROUPCALL_FORBIDDEN');
  await ban(false);
  beforeCommitOf(sandbox, 'phone.joinGroupCall', () => ban(true));
  expect(await refused(stranger, 'phone.joinGroupCall', joining)).toBe('GROUPCALL_FORBIDDEN');
});

it('starts no live story of a channel that is deleted meanwhile, or by who is demoted meanwhile', async () => {
  const { channel, peer } = await aChannel(sandbox, host, { broadcast: true }, friend);
  const appoint = (rights: object) =>
    result(host, 'channels.editAdmin', {
      channel,
      userId: userOf(friend),
      adminRights: { _: 'chatAdminRights', ...rights },
      rank: '',
    });
  const live = (randomId: string) => ({ peer, privacyRules: ALL, randomId });
  await appoint({ manageCall: true });
  beforeCommitOf(sandbox, 'stories.startLive', () => appoint({}));
  expect(await refused(friend, 'stories.startLive', live('901'))).toBe('CHAT_ADMIN_REQUIRED');
  beforeCommitOf(sandbox, 'stories.startLive', () => result(host, 'channels.deleteChannel', { channel }));
  expect(await refused(host, 'stories.startLive', live('902'))).toBe('CHANNEL_PRIVATE');
});

it('ends the live story that a channel begins while it is deleted', async () => {
  const { id, channel, peer } = await aChannel(sandbox, host, { broadcast: true });
  const params = { peer, privacyRules: ALL, randomId: '903' };
  beforeCommitOf(sandbox, 'channels.deleteChannel', () => result(host, 'stories.startLive', params));
  await result(host, 'channels.deleteChannel', { channel });
  const active = await sandbox.redis.hget(stateKey(host.workspaceId, ACTIVE_CALLS), `live:c${id}`);
  expect(active).toBeNull();
});

it('is forgotten by who leaves it', async () => {
  const viewer = await sandbox.anAccount('Viewer', { workspaceId: host.workspaceId });
  await start({ privacyRules: ALL });
  const [{ media }] = await storiesSeenBy(viewer);
  const { call } = media;
  const params = { _: 'dataJSON', data: '{"ssrc":12}' };
  const joined = () => sandbox.redis.zcard(stateKey(host.workspaceId, liveCallsKey(viewer.userId)));
  await result(viewer, 'phone.joinGroupCall', { call, joinAs: { _: 'inputPeerSelf' }, params });
  expect(await joined()).toBe(1);
  await result(viewer, 'phone.leaveGroupCall', { call, source: 12 });
  expect(await joined()).toBe(0);
});

it('goes on without who was reset', async () => {
  const viewer = await sandbox.anAccount('Viewer', { workspaceId: host.workspaceId });
  await start({ privacyRules: ALL });
  const [{ media }] = await storiesSeenBy(viewer);
  const { call } = media;
  const params = { _: 'dataJSON', data: '{"ssrc":11}' };
  await result(viewer, 'phone.joinGroupCall', { call, joinAs: { _: 'inputPeerSelf' }, params });
  while (!(await sandbox.order(viewer, 'resetAccount')).done);
  const shown = await result(host, 'phone.getGroupCall', { call, limit: 10 });
  expect(shown).toMatchObject({ call: { participantsCount: 0 }, participants: [] });
  expect((await sandbox.updatesOf(host)).at(-1)).toMatchObject({
    participants: [{ left: true, peer: { userId: viewer.userId } }],
  });
});

it('is listed with everybody whom it names: who began it, who is mentioned, and whom its rules name', async () => {
  const { id, channel, peer } = await aChannel(sandbox, host, { broadcast: true });
  await result(host, 'channels.updateUsername', { channel, username: 'named_channel' });
  await start({ peer, randomId: '7000' });
  const ofChannel = await result(stranger, 'stories.getPeerStories', { peer });
  expect(ofChannel).toMatchObject({ users: [{ id: host.userId }], chats: [{ id }] });

  const group = await aChannel(sandbox, host, { megagroup: true });
  const entities = [{ _: 'messageEntityMentionName', offset: 0, length: 2, userId: stranger.userId }];
  const privacyRules = [
    { _: 'inputPrivacyValueAllowUsers', users: [userOf(friend)] },
    { _: 'inputPrivacyValueAllowChatParticipants', chats: [group.id] },
  ];
  await start({ privacyRules, caption: 'Hi', entities });
  const own = await result(host, 'stories.getPeerStories', { peer: OWN });
  expect(own.users.map((user: { id: number }) => user.id).sort()).toEqual(
    [host.userId, friend.userId, stranger.userId].sort(),
  );
  expect(own.chats).toMatchObject([{ id: group.id }]);
  await start();
});

it('tells viewers whom its owner does not know of all that happens to them, and of its end', async () => {
  const viewer = await sandbox.anAccount('Viewer', { workspaceId: host.workspaceId });
  await start({ privacyRules: ALL });
  const [{ media, id }] = await storiesSeenBy(viewer);
  const { call } = media;
  const params = { _: 'dataJSON', data: '{"ssrc":21}' };
  await result(viewer, 'phone.joinGroupCall', { call, joinAs: { _: 'inputPeerSelf' }, params });
  await result(host, 'phone.joinGroupCall', {
    call,
    joinAs: { _: 'inputPeerSelf' },
    params: { ...params, data: '{"ssrc":22}' },
  });
  const told = async (act: () => Promise<unknown>) => {
    const { updates } = await sandbox.watch(host, act);
    return updates.filter(({ accountId }) => accountId === viewer.id).map(({ update }) => update);
  };
  const allowing = { call, participant: peerOf(viewer), muted: false };
  expect(await told(() => result(host, 'phone.editGroupCallParticipant', allowing))).toMatchObject([
    { participants: [{ self: true, canSelfUnmute: true }] },
  ]);
  expect(await told(() => result(host, 'phone.discardGroupCall', { call }))).toMatchObject([
    { _: 'updateGroupCall', call: { _: 'groupCallDiscarded' } },
    { _: 'updateStory', story: { _: 'storyItemDeleted', id } },
  ]);
});

it('tells a viewer whom its owner does not know what it does itself', async () => {
  const viewer = await sandbox.anAccount('Viewer', { workspaceId: host.workspaceId });
  await start({ privacyRules: ALL });
  const [{ media }] = await storiesSeenBy(viewer);
  const { call } = media;
  const joining = { call, joinAs: { _: 'inputPeerSelf' }, params: { _: 'dataJSON', data: '{"ssrc":24}' } };
  const { updates } = await sandbox.watch(host, () => result(viewer, 'phone.joinGroupCall', joining));
  const own = updates.filter(({ accountId }) => accountId === viewer.id).map(({ update }) => update);
  expect(own).toMatchObject([
    { _: 'updateGroupCallParticipants', participants: [{ self: true, justJoined: true }] },
    { _: 'updateGroupCall', liveStory: true, call: { participantsCount: 1 } },
  ]);
});

it('tells as many viewers as at its start of its end, however many are in its call', async () => {
  const COUNT = 200;
  const { workspaceId, userId } = host;
  const raw = (await sandbox.redis.hget(stateKey(workspaceId, USERS), String(stranger.userId))) as string;
  const ids = Array.from({ length: 2 * COUNT }, (_, n) => 6_000_000 + n);
  const [inCall, viewers] = [ids.slice(1, COUNT), ids.slice(COUNT)];
  for (const id of ids)
    await sandbox.redis.hset(
      stateKey(workspaceId, USERS),
      id,
      JSON.stringify({ ...JSON.parse(raw), id, accountId: null }),
    );
  const names = { firstName: 'Viewer', lastName: '', phone: '' };
  for (const id of viewers)
    await sandbox.redis.hset(stateKey(workspaceId, contactsKey(userId)), id, JSON.stringify(names));
  const toldOf = async (kind: string, act: () => Promise<unknown>) => {
    const { updates } = await sandbox.watch(host, act);
    const told = updates.filter(({ update }) => (update.story ?? update)._ === kind);
    return new Set(told.map((one) => one.userId).filter((id) => ids.includes(id ?? 0)));
  };
  const atStart = await toldOf('storyItem', () => start());
  expect(atStart.size).toBeGreaterThan(COUNT - 10);
  const [{ media }] = await storiesSeenBy(friend);
  const { call } = media;
  for (const id of inCall) {
    const participant = {
      peer: { _: 'peerUser', userId: id },
      userId: id,
      date: 1,
      activeDate: 1,
      source: id,
    };
    await sandbox.redis.hset(
      stateKey(workspaceId, callParticipantsKey(call.id)),
      `u${id}`,
      JSON.stringify(participant),
    );
    await sandbox.redis.zadd(stateKey(workspaceId, callOrderKey(call.id)), id, `u${id}`);
  }
  const group = { semantics: 'SIM', sources: Array.from({ length: 16 }, (_, n) => -0x8000_0000 + n) };
  const data = JSON.stringify({ ssrc: 31, 'ssrc-groups': Array.from({ length: 8 }, () => group) });
  const joining = { call, joinAs: { _: 'inputPeerSelf' }, params: { _: 'dataJSON', data } };
  const atJoin = await toldOf('updateGroupCallParticipants', () =>
    result(friend, 'phone.joinGroupCall', joining),
  );
  expect(atJoin).toEqual(new Set([...inCall, ...atStart]));
  const atEnd = await toldOf('storyItemDeleted', () => result(host, 'phone.discardGroupCall', { call }));
  expect(atEnd).toEqual(atJoin);
  await sandbox.redis.hdel(stateKey(workspaceId, contactsKey(userId)), ...viewers.map(String));
  await sandbox.redis.hdel(stateKey(workspaceId, USERS), ...ids.map(String));
});

it('lets who is in it go on and leave, though it may no longer see the story', async () => {
  const viewer = await sandbox.anAccount('Viewer', { workspaceId: host.workspaceId });
  const names = { firstName: 'Viewer', lastName: '', phone: '' };
  await result(host, 'contacts.addContact', { id: userOf(viewer), ...names });
  await start();
  const [{ media }] = await storiesSeenBy(viewer);
  const { call } = media;
  const params = { _: 'dataJSON', data: '{"ssrc":23}' };
  const joining = { call, joinAs: { _: 'inputPeerSelf' }, params };
  await result(viewer, 'phone.joinGroupCall', joining);
  await result(host, 'contacts.deleteContacts', { id: [userOf(viewer)] });
  expect(await storiesSeenBy(viewer)).toEqual([]);
  const leaving = () => result(viewer, 'phone.leaveGroupCall', { call, source: 0 });
  const isOwn = (_key: string, field?: string) => field === ownSourceField(viewer.userId);
  afterListIn(sandbox, 'phone.joinGroupCall', leaving, 'hget', isOwn);
  expect(await refused(viewer, 'phone.joinGroupCall', joining)).toBe('GROUPCALL_FORBIDDEN');
  const shown = await result(host, 'phone.getGroupCall', { call, limit: 10 });
  expect(shown).toMatchObject({ call: { participantsCount: 0 }, participants: [] });
});
