import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { SEQ } from '../../../workers/sandbox/model/common/keys.ts';
import {
  aRandomId,
  channelOf,
  peerOf,
  Sandbox,
  type SandboxAccount,
  userOf,
  WHOLE,
} from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const SELF = { _: 'inputPeerSelf' };

describe('connectAccount', () => {
  it('gives every account of a workspace a user of its own, also when many come at once', async () => {
    const { workspaceId } = await sandbox.anAccount();
    const accounts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => sandbox.anAccount(`Account ${i}`, { workspaceId })),
    );
    for (const of of ['userId', 'username', 'phone'] as const) {
      expect(new Set(accounts.map((account) => account[of])).size).toBe(20);
    }
    expect(accounts[0]?.phone).toMatch(/^99966\d+$/);
  });

  it('leaves an account that is connected as it is', async () => {
    const ada = await sandbox.anAccount();
    await sandbox.send(ada, SELF, 'Before');
    const again = await sandbox.order(ada, 'connectAccount', {
      accountId: ada.id,
      name: 'Other',
      bot: false,
    });
    expect(again).toEqual({ userId: ada.userId, username: ada.username, phone: ada.phone });
    expect((await sandbox.newest(ada, SELF)).message).toBe('Before');
  });

  it('keeps the counters of a workspace as a hash table, in which Redis need not search', async () => {
    const { workspaceId } = await sandbox.anAccount();
    const counters = stateKey(workspaceId, SEQ);
    expect(await sandbox.redis.object('ENCODING', counters)).toBe('hashtable');
    expect(await sandbox.redis.hlen(counters)).toBeLessThan(128);
  });

  it('seeds a conversation of every kind, and tells nobody of it', async () => {
    const ada = await sandbox.anAccount();
    expect(await sandbox.updates(ada)).toEqual([]);
    const { chatId, channelId, publicChannelId, forumId } = await sandbox.seeded(ada);
    expect((await sandbox.history(ada, SELF)).map(({ id }) => id)).toContain(1);
    expect(await sandbox.newest(ada, { _: 'inputPeerChat', chatId })).toMatchObject({
      action: { _: 'messageActionChatCreate' },
    });
    expect(await sandbox.newest(ada, channelOf(channelId))).toMatchObject({ id: 1, post: true });
    expect(await sandbox.newest(ada, channelOf(publicChannelId))).toMatchObject({
      fwdFrom: { fromId: { channelId }, channelPost: 1 },
    });
    await sandbox.send(ada, channelOf(forumId), 'In the forum');
    expect(await sandbox.newest(ada, channelOf(forumId))).toMatchObject({ message: 'In the forum' });
  });
});

describe('the empty peers', () => {
  it('stand for what was seeded', async () => {
    const ada = await sandbox.anAccount();
    const { contactId, chatId } = await sandbox.seeded(ada);
    const users = await sandbox.call(ada, 'users.getUsers', {
      id: [{ _: 'inputUserSelf' }, { _: 'inputUserEmpty' }],
    });
    expect(users.items).toMatchObject([
      { id: ada.userId, self: true, contact: false },
      { id: contactId, contact: true, mutualContact: true },
    ]);
    await sandbox.send(ada, { _: 'inputPeerEmpty' }, 'To myself');
    expect((await sandbox.newest(ada, SELF)).message).toBe('To myself');
    await sandbox.send(ada, { _: 'inputPeerChat', chatId: 1 }, 'To the group');
    expect((await sandbox.newest(ada, { _: 'inputPeerChat', chatId })).message).toBe('To the group');
  });

  it('are refused to a strict account, as are wrong access hashes', async () => {
    const ada = await sandbox.anAccount();
    const strict = await sandbox.anAccount('Strict', { workspaceId: ada.workspaceId, strictPeers: true });
    const send = (peer: object) =>
      sandbox.refusal(strict, 'messages.sendMessage', { peer, message: 'Hello', randomId: aRandomId() });
    expect(await send({ _: 'inputPeerEmpty' })).toBe('PEER_ID_INVALID');
    expect(await send({ _: 'inputPeerChat', chatId: 1 })).toBe('CHAT_ID_INVALID');
    expect(await send(peerOf(ada))).toBe('PEER_ID_INVALID');
    const { channelId } = await sandbox.seeded(strict);
    expect(await send(channelOf(channelId))).toBe('CHANNEL_INVALID');

    await sandbox.send(ada, peerOf(strict), 'Here is my access hash');
    const [{ accessHash }] = (
      await sandbox.call(strict, 'messages.getMessages', { id: await newestIds(strict) })
    ).users.filter(({ id }: { id: number }) => id === ada.userId);
    await sandbox.send(strict, { ...peerOf(ada), accessHash }, 'Thank you');
    expect((await sandbox.newest(ada, peerOf(strict))).message).toBe('Thank you');
    const bot = { ...strict, bot: true };
    await sandbox.send(bot, peerOf(ada), 'A bot needs to know none');
    const wrong = { peer: { ...peerOf(ada), accessHash: '1' }, message: 'Hello', randomId: aRandomId() };
    expect(await sandbox.refusal(bot, 'messages.sendMessage', wrong)).toBe('PEER_ID_INVALID');
  });
});

async function newestIds(account: SandboxAccount) {
  const updates = await sandbox.updates(account);
  return updates
    .filter(({ accountId }) => accountId === account.id)
    .map(({ update }) => ({ _: 'inputMessageID', id: update.message.id }));
}

it('users, basic groups and channels have ids that no two of them share', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const seeded = await Promise.all([ada, bob].map((account) => sandbox.seeded(account)));
  const users = [ada.userId, bob.userId, ...seeded.flatMap(({ contactId, botId }) => [contactId, botId])];
  const groups = [...seeded.map(({ chatId }) => chatId), (await sandbox.aGroup(ada, bob)).chatId];
  const channels = seeded.flatMap(({ channelId, forumId, monoforumId }) => [channelId, forumId, monoforumId]);
  expect(Math.max(...users)).toBeLessThan(1_000_000_000);
  expect(Math.min(...groups)).toBeGreaterThanOrEqual(1_000_000_000);
  expect(Math.max(...groups)).toBeLessThan(2_000_000_000);
  expect(Math.min(...channels)).toBeGreaterThanOrEqual(2_000_000_000);
});

describe('users.getUsers', () => {
  it('leaves out who does not exist', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const id = [userOf(bob), { _: 'inputUser', userId: 5, accessHash: '0' }];
    const users = await sandbox.call(ada, 'users.getUsers', { id });
    expect(users).toMatchObject({ _: 'vector', items: [{ id: bob.userId, username: bob.username }] });
  });
});

describe('help.getSupport', () => {
  it('gives the support user, the same for the whole workspace, and its number', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const support = await sandbox.call(ada, 'help.getSupport');
    expect(support).toMatchObject({
      phoneNumber: expect.stringMatching(/^\d+$/),
      user: { _: 'user', support: true },
    });
    expect(await sandbox.call(bob, 'help.getSupport')).toEqual(support);
  });

  it('shows the support user as the contact that it is', async () => {
    const ada = await sandbox.anAccount();
    const id = { _: 'inputUser', userId: 777, accessHash: '0' };
    await sandbox.call(ada, 'contacts.addContact', { id, firstName: 'Help', lastName: '', phone: '' });
    const { user } = await sandbox.call(ada, 'help.getSupport');
    expect(user).toMatchObject({ firstName: 'Help', contact: true, support: true });
  });
});

describe('payments.getSavedInfo', () => {
  it('gives the seeded address and card', async () => {
    const ada = await sandbox.anAccount();
    expect(await sandbox.call(ada, 'payments.getSavedInfo')).toMatchObject({
      hasSavedCredentials: true,
      savedInfo: { name: 'Ada', shippingAddress: { _: 'postAddress' } },
    });
  });
});

describe('disconnectAccount', () => {
  it('leaves a deleted user behind, whose conversations stay and whose name is free', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.send(bob, peerOf(ada), 'Goodbye');
    await sandbox.order(bob, 'disconnectAccount');
    await sandbox.order(bob, 'disconnectAccount');
    const history = await sandbox.call(ada, 'messages.getHistory', { peer: peerOf(bob), ...WHOLE });
    expect(history.messages).toMatchObject([{ message: 'Goodbye' }]);
    expect(history.users).toMatchObject([{ id: bob.userId, deleted: true }]);
    expect(history.users[0].username).toBeUndefined();
  });

  it('shows nobody what the user said of itself', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const bot = await sandbox.anAccount('Bot', { workspaceId: ada.workspaceId, bot: true });
    await sandbox.call(bob, 'account.updateProfile', { about: 'Likes boats' });
    await sandbox.call(bob, 'account.updateBirthday', { birthday: { _: 'birthday', day: 1, month: 2 } });
    await sandbox.call(bot, 'bots.setBotInfo', { langCode: '', about: 'Answers', description: 'Ask it' });
    for (const account of [bob, bot]) {
      await sandbox.order(account, 'disconnectAccount');
      const { fullUser } = await sandbox.call(ada, 'users.getFullUser', { id: userOf(account) });
      for (const name of ['about', 'birthday', 'botInfo']) expect(fullUser).not.toHaveProperty(name);
    }
  });

  it('stops updates to the account, in groups as well', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.aGroup(ada, bob);
    await sandbox.order(bob, 'disconnectAccount');
    const { updates } = await sandbox.watch(ada, () => sandbox.send(ada, group, 'Anybody?'));
    expect(updates.map(({ accountId }) => accountId)).toEqual([ada.id]);
  });
});

describe('resetAccount', () => {
  const finish = async (account: SandboxAccount) => {
    for (let rounds = 1; ; rounds += 1) {
      if ((await sandbox.order(account, 'resetAccount')).done) return rounds;
    }
  };

  it('brings the account back to its seeded state, as the same user', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const fresh = await sandbox.history(ada, SELF);
    const before = await sandbox.seeded(ada);
    const group = await sandbox.aGroup(bob, ada);
    for (const peer of [peerOf(bob), SELF, group, { _: 'inputPeerChat', chatId: 1 }]) {
      await sandbox.send(ada, peer, 'To be forgotten');
    }
    await sandbox.send(bob, group, `@${ada.username}`);

    expect(await finish(ada)).toBeLessThanOrEqual(2);
    const after = await sandbox.seeded(ada);
    expect(after.contactId).toBe(before.contactId);
    expect(after.channelId).not.toBe(before.channelId);
    expect((await sandbox.history(ada, SELF)).map(({ id }) => id)).toEqual(fresh.map(({ id }) => id));
    expect(await sandbox.history(ada, peerOf(bob))).toEqual([]);
    expect(await sandbox.history(ada, { _: 'inputPeerChat', chatId: 1 })).toHaveLength(1);
    const refusal = (peer: object) => sandbox.refusal(ada, 'messages.getHistory', { peer, ...WHOLE });
    expect(await refusal(group)).toBe('CHAT_ID_INVALID');
    // Nobody else was in it, so it is gone.
    expect(await refusal(channelOf(before.forumId))).toBe('CHANNEL_INVALID');
  });

  it('lets the others keep what they have, and tells those in its groups', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.aGroup(bob, ada);
    await sandbox.send(ada, peerOf(bob), 'Kept');
    const { updates } = await sandbox.watch(ada, () => finish(ada));
    expect(updates).toMatchObject([
      {
        accountId: bob.id,
        update: { _: 'updateChatParticipantDelete', chatId: group.chatId, userId: ada.userId },
      },
    ]);
    expect((await sandbox.newest(bob, peerOf(ada))).message).toBe('Kept');
  });

  it('goes on with ids and pts, so that no old copy is mistaken for a new message', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.sendFile(ada, peerOf(bob), 'voice');
    const last = await sandbox.newest(ada, peerOf(bob));
    await finish(ada);
    await sandbox.sendFile(ada, SELF, 'voice');
    expect((await sandbox.newest(ada, SELF)).id).toBeGreaterThan(last.id);
    const { id } = await sandbox.newest(bob, peerOf(ada));
    const { updates } = await sandbox.watch(bob, () =>
      sandbox.call(bob, 'messages.readMessageContents', { id: [id] }),
    );
    expect(updates.filter(({ accountId }) => accountId !== bob.id)).toEqual([]);
  });

  it('leaves nothing of the account behind but what others have and what has to go on', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const fresh = await keysOf(ada);
    const group = await sandbox.aGroup(bob, ada);
    await sandbox.send(bob, group, `@${ada.username}`);
    await sandbox.sendFile(ada, SELF, 'voice');
    await sandbox.call(ada, 'contacts.block', { id: peerOf(bob) });
    await sandbox.call(ada, 'account.createTheme', { slug: '', title: 'Mine' });
    await sandbox.call(ada, 'stories.startLive', {
      peer: SELF,
      privacyRules: [{ _: 'inputPrivacyValueAllowAll' }],
      randomId: aRandomId(),
    });
    const unread = () => sandbox.call(ada, 'updates.getState').then(({ unreadCount }) => unreadCount);
    // That the group was made, and the mention.
    expect(await unread()).toBe(2);
    await finish(ada);
    expect(await keysOf(ada)).toEqual(fresh);
    expect(await unread()).toBe(0);
    const counters = await sandbox.redis.hkeys(stateKey(ada.workspaceId, SEQ));
    expect(counters.filter((name) => name.startsWith(`unread:${ada.userId}:`))).toEqual([]);
    await sandbox.send(bob, peerOf(ada), 'No longer blocked');
  });

  it('goes by parts where there is much to forget', async () => {
    const ada = await sandbox.anAccount();
    const others = await Promise.all(
      Array.from({ length: 60 }, (_, i) => sandbox.anAccount(`${i}`, { workspaceId: ada.workspaceId })),
    );
    for (const other of others) {
      await sandbox.send(ada, peerOf(other), 'Hello');
      await sandbox.call(ada, 'contacts.block', { id: peerOf(other) });
    }
    expect(await finish(ada)).toBeGreaterThan(2);
    for (const other of others) {
      expect(await sandbox.history(ada, peerOf(other))).toEqual([]);
      await sandbox.send(other, peerOf(ada), 'Hello again');
    }
  });
});

// What stands behind these is the id of a channel, which may have the number of a user.
const OF_CHANNELS = /^(members|topics|consumed|viewed|views|reacted):/;

/** The keys that bear an account's user id, and how much is in each; those of its seeded peers by what they are. */
async function keysOf(account: SandboxAccount): Promise<Record<string, number>> {
  const { contactId, friendId, botId, chatId, ...others } = await sandbox.seeded(account);
  const { channelId, publicChannelId, openChannelId, forumId, monoforumId } = others;
  // Users, basic groups and channels are numbered apart: only with its kind does a number say which one it is.
  const users = { contactId, friendId, botId };
  const channels = { channelId, publicChannelId, openChannelId, forumId, monoforumId };
  const names = new Map([
    ...Object.entries(users).map(([name, id]) => [`u${id}`, name] as const),
    ...Object.entries(channels).map(([name, id]) => [`c${id}`, name] as const),
    [`g${chatId}`, 'chatId'],
  ]);
  const kept = /^(random|files|sizes):/;
  const prefix = stateKey(account.workspaceId, '');
  const own = new RegExp(`(^[a-z-]+:|:u)${account.userId}(:|$)`);
  const found: Record<string, number> = {};
  for (const key of await sandbox.redis.keys(`${prefix}*`)) {
    const name = key.slice(prefix.length);
    if (!own.test(name) || OF_CHANNELS.test(name) || kept.test(name)) continue;
    found[name.replace(/(?<=:)[ugc]\d+(?=:|$)/g, (peer) => names.get(peer) ?? peer)] = await sizeOf(key);
  }
  return found;
}

async function sizeOf(key: string): Promise<number> {
  const type = await sandbox.redis.type(key);
  if (type === 'hash') return sandbox.redis.hlen(key);
  return type === 'set' ? sandbox.redis.scard(key) : sandbox.redis.zcard(key);
}

describe('faults', () => {
  it('happen so often as was said, to the methods that were named, in order', async () => {
    const ada = { ...(await sandbox.anAccount()), faults: true };
    const faults = [
      { method: 'help.getSupport', count: 2, error: 'FLOOD_WAIT_3' },
      { method: '*', count: 1, error: 'USER_DEACTIVATED_BAN' },
    ];
    await sandbox.order(ada, 'setFaults', { faults });
    expect(await sandbox.order(ada, 'getFaults')).toEqual({ faults });
    const support = () => sandbox.refusal(ada, 'help.getSupport');
    expect(await Promise.all([support(), support()])).toEqual(['FLOOD_WAIT', 'FLOOD_WAIT']);
    expect(await sandbox.refusal(ada, 'payments.getSavedInfo')).toBe('account_unauthorized');
    expect(await sandbox.order(ada, 'getFaults')).toEqual({ faults: [] });
    expect((await sandbox.call(ada, 'help.getSupport'))._).toBe('help.support');
  });
});
