import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setByteBudget } from '../../../src/bytes/byte-budget.ts';
import { bytesKey, stateKey } from '../../../src/redis/keys.ts';
import { measureBytes } from '../../../workers/measure-bytes.ts';
import { historyKey } from '../../../workers/sandbox/model/boxes/keys.ts';
import { GROUP_CALLS } from '../../../workers/sandbox/model/group-calls/keys.ts';
import { contactsKey } from '../../../workers/sandbox/model/people/keys.ts';
import { beforeCommitOfOrder } from '../../support/sandbox/before-commit.ts';
import {
  aRandomId,
  channelOf,
  peerOf,
  Sandbox,
  type SandboxAccount,
  userOf,
} from '../../support/sandbox/sandbox.ts';

const RESETS = 5;
const MiB = 1024 * 1024;
const THEME_KEYS = ['themes', 'theme-slugs', 'theme-users:#', 'themes:#', 'unlisted-themes:#'];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

async function reset(account: SandboxAccount): Promise<void> {
  while (!(await sandbox.order(account, 'resetAccount')).done);
}

/** How many entries a workspace has under keys that are alike but for the ids in their names. */
async function contentOf({ workspaceId }: SandboxAccount): Promise<Record<string, number>> {
  const prefix = stateKey(workspaceId, '');
  const found: Record<string, number> = {};
  for (const key of await sandbox.redis.keys(`${prefix}*`)) {
    const name = key.slice(prefix.length).replace(/\d+/g, '#');
    found[name] = (found[name] ?? 0) + (await sizeOf(key));
  }
  // One for each look that a gift was ever offered with, and for each picture that this process has shown: both are of a catalogue.
  for (const name of ['resale-looks:#', 'documents', 'files:#:#']) delete found[name];
  return found;
}

async function sizeOf(key: string): Promise<number> {
  const type = await sandbox.redis.type(key);
  if (type === 'hash') return sandbox.redis.hlen(key);
  return type === 'set' ? sandbox.redis.scard(key) : sandbox.redis.zcard(key);
}

async function seededTheme(account: SandboxAccount) {
  const { themeId } = await sandbox.seeded(account);
  return { _: 'inputTheme', id: themeId, accessHash: '0' };
}

describe('what a reset leaves behind', () => {
  it('is as much as there was, however often an account is reset', async () => {
    const ada = await sandbox.anAccount();
    const fresh = await contentOf(ada);
    for (let round = 0; round < RESETS; round += 1) await reset(ada);
    expect(await contentOf(ada)).toEqual(fresh);
  });

  it('is nothing of the channels and groups that nobody else is in', async () => {
    const ada = await sandbox.anAccount();
    const fresh = await contentOf(ada);
    const { channelId, publicChannelId, forumId, chatId } = await sandbox.seeded(ada);
    const group = { _: 'inputPeerChat', chatId };
    const peers = [channelId, forumId].map(channelOf);
    // More than are removed at once.
    for (let i = 0; i < 120; i += 1) await sandbox.send(ada, channelOf(channelId), `Post ${i}`);
    for (let i = 0; i < 60; i += 1) {
      const title = `Topic ${i}`;
      await sandbox.call(ada, 'messages.createForumTopic', {
        peer: channelOf(forumId),
        title,
        randomId: aRandomId(),
      });
      await sandbox.send(ada, group, `Message ${i}`);
    }
    for (const msgId of [1, 2, 70]) {
      const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
      await sandbox.call(ada, 'messages.sendReaction', { peer: channelOf(channelId), msgId, reaction });
      await sandbox.call(ada, 'messages.getMessagesViews', {
        peer: channelOf(publicChannelId),
        id: [1],
        increment: true,
      });
    }
    await sandbox.call(ada, 'messages.forwardMessages', {
      fromPeer: channelOf(channelId),
      id: [2, 3],
      randomId: [aRandomId(), aRandomId()],
      toPeer: channelOf(forumId),
    });
    await sandbox.call(ada, 'messages.sendVote', {
      peer: channelOf(forumId),
      msgId: 1,
      options: [Buffer.from('0').toString('base64')],
    });
    for (const peer of peers) await sandbox.sendFile(ada, peer, 'voice');
    await reset(ada);
    const left = await contentOf(ada);
    // Files that were sent stay, and so does what the friend was sent in the group.
    for (const name of ['sizes:#:#', 'random:#:#', 'messages:u#', 'history:#:g#', 'dialogs:#', 'seq']) {
      delete left[name];
      delete fresh[name];
    }
    expect(left).toEqual(fresh);
  });

  it('is what others are in, until they are reset as well', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const fresh = await contentOf(ada);
    const { forumId, openChannelId, themeId } = await sandbox.seeded(ada);
    await sandbox.letIn(bob, forumId);
    await sandbox.call(bob, 'channels.joinChannel', {
      channel: { _: 'inputChannel', channelId: openChannelId, accessHash: '0' },
    });
    const theme = { _: 'inputTheme', id: themeId, accessHash: '0' };
    await sandbox.call(bob, 'account.saveTheme', { theme, unsave: false });
    await sandbox.send(bob, channelOf(forumId), 'Still here');
    await reset(ada);
    expect(await sandbox.refusal(ada, 'messages.readMentions', { peer: channelOf(forumId) })).toBe(
      'CHANNEL_PRIVATE',
    );
    const [newest, , poll] = await sandbox.history(bob, channelOf(forumId));
    expect(newest.message).toBe('Still here');
    expect(poll.media.poll.question.text).toBe('Tea or coffee?');
    const { themes } = await sandbox.call(bob, 'account.getThemes', { format: 'webk', hash: '0' });
    expect(themes.map(({ id }: { id: string }) => id)).toEqual([themeId]);
    expect((await sandbox.seeded(ada)).themeId).not.toBe(themeId);
    await sandbox.call(bob, 'messages.sendVote', {
      peer: channelOf(forumId),
      msgId: 1,
      options: [Buffer.from('0').toString('base64')],
    });
    await reset(bob);
    const left = await contentOf(ada);
    for (const name of ['channels', 'members:#', 'messages:c#', 'joined:#', 'group-calls', 'usernames'])
      expect([name, left[name]]).toEqual([name, fresh[name]]);
    for (const name of THEME_KEYS) expect([name, left[name]]).toEqual([name, fresh[name]]);
  });

  it('is no theme that the account has created, and has taken from its list', async () => {
    const ada = await sandbox.anAccount();
    const fresh = await contentOf(ada);
    const create = (slug: string) => sandbox.call(ada, 'account.createTheme', { slug, title: 'Theme' });
    // More than are removed at once.
    const slugs = Array.from({ length: 40 }, (_, n) => `ocean_${n}`);
    for (const slug of slugs) {
      await create(slug);
      if (slug.endsWith('0')) continue;
      const theme = { _: 'inputThemeSlug', slug };
      await sandbox.call(ada, 'account.saveTheme', { theme, unsave: true });
      await sandbox.call(ada, 'account.getTheme', { theme, format: 'webk' });
    }
    await reset(ada);
    expect(await contentOf(ada)).toEqual(fresh);
    for (const slug of slugs) await create(slug);
  });

  it('is a theme that others have, until the last of them gives it up', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
    const fresh = await contentOf(ada);
    const { themeId } = await sandbox.seeded(ada);
    const { id } = await sandbox.call(ada, 'account.createTheme', { slug: 'ocean', title: 'Theme' });
    const themes = [id, themeId].map((one) => ({ _: 'inputTheme', id: one, accessHash: '0' }));
    const [theme = {}] = themes;
    const save = (account: SandboxAccount, one: object, unsave = false) =>
      sandbox.call(account, 'account.saveTheme', { theme: one, unsave });
    for (const one of themes) for (const account of [bob, cleo]) await save(account, one);
    await reset(ada);
    for (const one of themes) await save(bob, one, true);
    expect((await sandbox.call(bob, 'account.getTheme', { theme, format: 'webk' })).slug).toBe('ocean');
    await save(bob, theme);
    await reset(cleo);
    await save(bob, theme, true);
    expect(await sandbox.refusal(bob, 'account.getTheme', { theme, format: 'webk' })).toBe('THEME_INVALID');
    const left = await contentOf(ada);
    for (const name of THEME_KEYS) expect([name, left[name]]).toEqual([name, fresh[name]]);
    // The theme that was seeded last has the slug of the one before it.
    const slug = (
      await sandbox.call(ada, 'account.getTheme', { theme: await seededTheme(ada), format: 'webk' })
    ).slug;
    await sandbox.call(bob, 'account.getTheme', { theme: { _: 'inputThemeSlug', slug }, format: 'webk' });
  });

  it('is no membership of a basic group whose messages the account has all deleted', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.aGroup(ada, bob);
    await sandbox.call(bob, 'messages.deleteHistory', { peer: group, maxId: 0 });
    const own = await sandbox.aGroup(bob, await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId }));
    await sandbox.call(bob, 'messages.deleteHistory', { peer: own, maxId: 0 });
    await reset(bob);
    const { fullChat } = await sandbox.call(ada, 'messages.getFullChat', { chatId: group.chatId });
    expect(fullChat.participants.participants).toMatchObject([{ userId: ada.userId }]);
    expect(await sandbox.refusal(bob, 'messages.getFullChat', { chatId: own.chatId })).toBe(
      'CHAT_ID_INVALID',
    );
    await sandbox.send(ada, group, 'Still there?');
    expect((await sandbox.updatesOf(bob)).at(-1)?.message?.message).not.toBe('Still there?');
  });

  it('is nothing of the messages of a group that each account has deleted for itself', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const fresh = await contentOf(ada);
    const { chatId } = await sandbox.seeded(ada);
    const group = { _: 'inputPeerChat', chatId };
    await sandbox.call(ada, 'messages.addChatUser', { chatId, userId: userOf(bob), fwdLimit: 10 });
    await sandbox.send(bob, group, 'Hello');
    const { id: msgId } = await sandbox.newest(ada, group);
    const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
    await sandbox.call(ada, 'messages.sendReaction', { peer: group, msgId, reaction });
    for (const account of [ada, bob])
      await sandbox.call(account, 'messages.deleteHistory', { peer: group, maxId: 0 });
    for (const account of [bob, ada]) await reset(account);
    const left = await contentOf(ada);
    for (const name of ['copies', 'reactions:x#', 'chats'])
      expect([name, left[name]]).toEqual([name, fresh[name]]);
  });

  it('is no reaction that others gave in a group after its last reader had left it', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.aGroup(ada, bob);
    await sandbox.send(ada, group, 'Hello');
    const { id: msgId } = await sandbox.newest(ada, group);
    await sandbox.call(bob, 'messages.deleteChatUser', { chatId: group.chatId, userId: userOf(bob) });
    const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
    await sandbox.call(ada, 'messages.sendReaction', { peer: group, msgId, reaction });
    for (const account of [ada, bob]) await reset(account);
    expect(await contentOf(ada)).not.toHaveProperty('reactions:x#');
  });

  it('is what somebody wrote to its monoforum', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { monoforumId } = await sandbox.seeded(ada);
    await sandbox.send(bob, channelOf(monoforumId), 'A question');
    await reset(ada);
    expect((await sandbox.newest(bob, channelOf(monoforumId))).message).toBe('A question');
  });
});

it('a reset leaves a channel that somebody comes to meanwhile, and a monoforum that somebody writes to', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const joined = await sandbox.seeded(ada);
  const channel = { _: 'inputChannel', channelId: joined.channelId, accessHash: '0' };
  beforeCommitOfOrder(sandbox, 'resetAccount', () => sandbox.call(bob, 'channels.joinChannel', { channel }));
  await reset(ada);
  expect((await sandbox.newest(bob, channelOf(joined.channelId))).message).toBe('The first post');
  const written = await sandbox.seeded(ada);
  beforeCommitOfOrder(sandbox, 'resetAccount', () =>
    sandbox.send(bob, channelOf(written.monoforumId), 'A question'),
  );
  await reset(ada);
  expect((await sandbox.newest(bob, channelOf(written.monoforumId))).message).toBe('A question');
});

it('a reset forgets whom the account blocks, and what it sends and gets, meanwhile', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const beforeLastCommit = (act: () => Promise<unknown>) =>
    beforeCommitOfOrder(sandbox, 'resetAccount', act, (result) => (result as { done: boolean }).done);
  beforeLastCommit(() => sandbox.call(ada, 'contacts.block', { id: peerOf(bob) }));
  await reset(ada);
  await sandbox.send(bob, peerOf(ada), 'Am I blocked?');
  await reset(ada);
  for (const [from, to] of [
    [bob, ada],
    [ada, bob],
  ] as const) {
    beforeLastCommit(() => sandbox.send(from, peerOf(to), 'Hello'));
    await reset(ada);
    expect(await sandbox.history(ada, peerOf(bob))).toEqual([]);
    const history = stateKey(ada.workspaceId, historyKey(ada.userId, `u${bob.userId}`));
    expect(await sandbox.redis.exists(history)).toBe(0);
    expect((await sandbox.newest(bob, peerOf(ada))).message).toBe('Hello');
  }
});

it('a reset leaves contacts of the account that are mutual no longer, however many it had', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  for (const [one, other] of [
    [ada, bob],
    [bob, ada],
  ] as const) {
    const names = { firstName: 'Friend', lastName: '', phone: '' };
    await sandbox.call(one, 'contacts.addContact', { id: userOf(other), ...names });
  }
  const seen = async () => (await sandbox.call(ada, 'users.getUsers', { id: [userOf(bob)] })).items[0];
  expect(await seen()).toMatchObject({ contact: true, mutualContact: true });
  const key = stateKey(bob.workspaceId, contactsKey(bob.userId));
  const before = (await sandbox.redis.hkeys(key)).length;
  for (let id = 1; id <= 60; id += 1) await sandbox.redis.hset(key, String(id), '{"mutual":false}');
  await reset(bob);
  expect(await seen()).toMatchObject({ contact: true, mutualContact: false, firstName: 'Friend' });
  // Bob's own seeded contact is there again, and Ada is not.
  expect(await sandbox.redis.hlen(key)).toBe(before - 1);
});

it('a reset leaves the access hashes of the seeded users, which clients have kept', async () => {
  const ada = await sandbox.anAccount('Ada', { strictPeers: true });
  const before = (await sandbox.call(ada, 'contacts.getContacts', { hash: '0' })).users;
  await reset(ada);
  expect((await sandbox.call(ada, 'contacts.getContacts', { hash: '0' })).users).toEqual(before);
});

it('a reset leaves nothing of the call of a live story', async () => {
  const ada = await sandbox.anAccount();
  await reset(ada);
  const countCalls = () => sandbox.redis.hlen(stateKey(ada.workspaceId, GROUP_CALLS));
  const before = await countCalls();
  const privacyRules = [{ _: 'inputPrivacyValueAllowContacts' }];
  const params = { peer: { _: 'inputPeerSelf' }, privacyRules, randomId: aRandomId() };
  await sandbox.call(ada, 'stories.startLive', params);
  expect(await countCalls()).toBe(before + 1);
  await reset(ada);
  expect(await countCalls()).toBe(before);
});

/** A new account as an earlier release left it: without the later seeds, whose ids are not given yet. */
async function anEarlierAccount(): Promise<{ ada: SandboxAccount; contactId: number }> {
  const ada = await sandbox.anAccount();
  const { contactId, botId } = await sandbox.seeded(ada);
  const keyOf = (name: string) => stateKey(ada.workspaceId, name);
  const counters = { [`msg:u${ada.userId}`]: 5, [`pts:u${ada.userId}`]: 5 };
  await sandbox.redis.hset(keyOf('seq'), counters);
  await sandbox.redis.hdel(keyOf('seq'), `msg:u${contactId}`, `pts:u${contactId}`);
  await sandbox.redis.hdel(keyOf(`messages:u${ada.userId}`), '6', '7', '8');
  await sandbox.redis.zrem(keyOf(`history:${ada.userId}:u${contactId}`), 6);
  await sandbox.redis.zrem(keyOf(`dialogs:${ada.userId}`), `u${botId}`);
  const gone = [
    `messages:u${contactId}`,
    `history:${contactId}:u${ada.userId}`,
    `history:${ada.userId}:u${botId}`,
  ];
  await sandbox.redis.del(...gone.map(keyOf));
  return { ada, contactId };
}

/** The messages of a seeded user, who has no account: their texts by their ids. */
async function textsOf({ workspaceId }: SandboxAccount, userId: number): Promise<Record<string, string>> {
  const found = await sandbox.redis.hgetall(stateKey(workspaceId, `messages:u${userId}`));
  const texts = Object.entries(found).map(([id, raw]) => [id, JSON.parse(raw).message.message]);
  return Object.fromEntries(texts);
}

describe('a reset of an account that an earlier release made', () => {
  it('gives nothing that is sent then the ids of what it has seeded', async () => {
    const { ada, contactId } = await anEarlierAccount();
    await reset(ada);
    const { friendId, botId } = await sandbox.seeded(ada);
    const [friend, contact, bot] = [friendId, contactId, botId].map((userId) => peerOf({ ...ada, userId }));
    for (const peer of [friend, contact, bot]) await sandbox.send(ada, peer as object, 'Hello');
    const shown = async (peer?: object) =>
      (await sandbox.history(ada, peer as object)).map(({ id, message = '' }) => [id, message]);
    expect(await shown(friend)).toEqual([[9, 'Hello']]);
    expect(await shown(contact)).toEqual([
      [10, 'Hello'],
      // The others are gifts.
      ...[6, 5, 4, 3].map((id) => [id, '']),
    ]);
    expect(await shown(bot)).toEqual([
      [11, 'Hello'],
      [8, ''],
      [7, 'How can I help you?'],
    ]);
    expect(await textsOf(ada, contactId)).toEqual({ 1: '', 2: 'Hello' });
  });

  it('leaves what others have sent to its contact, and seeds the message of the contact once', async () => {
    const { ada, contactId } = await anEarlierAccount();
    const bob = await sandbox.anAccount('Bob', { workspaceId: ada.workspaceId });
    await sandbox.send(bob, peerOf({ ...ada, userId: contactId }), 'From Bob');
    for (let round = 0; round < RESETS; round += 1) await reset(ada);
    expect(await textsOf(ada, contactId)).toEqual({ 1: 'From Bob', 2: '' });
    const { updates } = await sandbox.watch(ada, () =>
      sandbox.call(ada, 'messages.readMessageContents', { id: [6] }),
    );
    expect(updates.map(({ userId, update }) => [userId, update.messages])).toContainEqual([contactId, [2]]);
  });
});

/** What a workspace takes of Redis, every field counted. */
async function takenBy(workspaceId: string): Promise<number> {
  const keys = await sandbox.redis.keys(`*${workspaceId}*`);
  const sizes = await Promise.all(keys.map((key) => sandbox.redis.memory('USAGE', key, 'SAMPLES', 0)));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

it('a reset passes in a workspace that has used its budget while it takes away what it adds, and not for ever', async () => {
  const ada = await sandbox.anAccount();
  const { workspaceId } = ada;
  const measure = async () => {
    await sandbox.redis.del(bytesKey(workspaceId));
    return (await measureBytes(sandbox.redis, workspaceId, { everyMs: 0, soonMs: 0 })) as number;
  };
  const fresh = await measure();
  await setByteBudget(sandbox.redis, workspaceId, fresh);
  await reset(ada);
  // What is gone already is not taken away, and made anew all the same.
  const ids = Array.from({ length: 100 }, (_, i) => i + 1);
  await sandbox.call(ada, 'messages.deleteMessages', { id: ids });
  // Beyond what is kept in reserve for what takes something away.
  // Many, for Redis measures a few fields of a hash and takes the others for as large.
  const large = Array.from({ length: 128 }, (_, i) => [`large${i}`, 'x'.repeat(MiB / 16)] as const);
  await sandbox.redis.hset(stateKey(workspaceId, 'documents'), Object.fromEntries(large));
  await measure();
  await expect(reset(ada)).rejects.toThrow('workspace_full');
  await sandbox.redis.hdel(stateKey(workspaceId, 'documents'), ...large.map(([field]) => field));
  await setByteBudget(sandbox.redis, workspaceId, 0);
  await reset(ada);
  for (let i = 0; i < 10; i += 1) await sandbox.send(ada, peerOf(ada), 'x'.repeat(4_000));
  await setByteBudget(sandbox.redis, workspaceId, fresh);
  await measure();
  const before = await takenBy(workspaceId);
  await reset(ada);
  expect(await takenBy(workspaceId)).toBeLessThan(before - 35_000);
});
