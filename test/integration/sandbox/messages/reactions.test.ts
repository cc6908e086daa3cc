import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { stateKey } from '../../../../src/redis/keys.ts';
import { COPIES, messagesKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { reactedKey, reactionsKey } from '../../../../workers/sandbox/model/reactions/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { afterListIn, beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let workspaceId: string;
let writer: SandboxAccount;
let reader: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  workspaceId = newId('workspace');
  [writer, reader] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId }),
    sandbox.anAccount('Account', { workspaceId }),
  ]);
});

afterAll(() => sandbox.close());

const EMPTY = { _: 'inputPeerEmpty' };
const emoji = (emoticon: string) => ({ _: 'reactionEmoji', emoticon });

function aPeer(account: SandboxAccount) {
  return { _: 'inputPeerUser', userId: account.userId, accessHash: '0' };
}

async function newest(account: SandboxAccount, peer: object) {
  const window = { offsetId: 0, addOffset: 0, limit: 1, maxId: 0, minId: 0, offsetDate: 0, hash: '0' };
  return (await sandbox.call(account, 'messages.getHistory', { peer, ...window })).messages[0];
}

async function furnishedChannel(): Promise<object> {
  const { chats } = await sandbox.call(writer, 'messages.getSponsoredMessages', { peer: EMPTY });
  return { _: 'inputPeerChannel', channelId: chats[0].id, accessHash: chats[0].accessHash };
}

async function react(account: SandboxAccount, peer: object, msgId: number, ...reactions: object[]) {
  const answer = await sandbox.answer(account, 'messages.sendReaction', { peer, msgId, reaction: reactions });
  return answer.body;
}

it('shows a reaction to both sides of a chat and tells both of it', async () => {
  await sandbox.call(writer, 'messages.sendMessage', { peer: aPeer(reader), message: 'Hello' });
  const { id: theirs } = await newest(reader, aPeer(writer));
  const { id: own } = await newest(writer, aPeer(reader));

  const reacted = await react(reader, aPeer(writer), theirs, emoji('👍'));
  expect(reacted.result.updates).toMatchObject([
    {
      _: 'updateEditMessage',
      message: { id: theirs, message: 'Hello', reactions: { results: [{ count: 1, chosenOrder: 1 }] } },
      ptsCount: 0,
    },
    {
      _: 'updateMessageReactions',
      msgId: theirs,
      reactions: {
        canSeeList: true,
        results: [{ reaction: emoji('👍'), count: 1, chosenOrder: 1 }],
        recentReactions: [{ my: true, peerId: { userId: reader.userId } }],
      },
    },
  ]);
  const all = (await sandbox.updates({ workspaceId })).filter(({ txid }) => txid === reacted.txid);
  const forReader = all.filter(({ accountId }) => accountId === reader.id);
  expect(forReader).toHaveLength(1);
  expect(reacted.result.updates[1]).toMatchObject(forReader[0]?.update);
  const updates = all.filter(({ accountId }) => accountId !== reader.id);
  expect(updates).toMatchObject([
    {
      accountId: writer.id,
      update: {
        _: 'updateMessageReactions',
        peer: { userId: reader.userId },
        msgId: own,
        reactions: {
          results: [{ reaction: emoji('👍'), count: 1 }],
          recentReactions: [{ peerId: { userId: reader.userId } }],
        },
      },
    },
  ]);
  expect(updates[0]?.update.reactions.results[0]).not.toHaveProperty('chosenOrder');
  expect((await newest(writer, aPeer(reader))).reactions.results).toMatchObject([{ count: 1 }]);

  await react(writer, aPeer(reader), own, emoji('🔥'));
  await react(reader, aPeer(writer), theirs, emoji('❤'));
  expect((await newest(reader, aPeer(writer))).reactions.results).toMatchObject([
    { reaction: emoji('❤'), chosenOrder: 1 },
    { reaction: emoji('🔥') },
  ]);
  await react(reader, aPeer(writer), theirs);
  await react(writer, aPeer(reader), own);
  expect(await newest(reader, aPeer(writer))).not.toHaveProperty('reactions');
});

it('tells nobody who has deleted the message, and leaves nothing of one that is deleted for all', async () => {
  await sandbox.call(writer, 'messages.sendMessage', { peer: aPeer(reader), message: 'Gone soon' });
  const { id: theirs } = await newest(reader, aPeer(writer));
  const { id: own } = await newest(writer, aPeer(reader));
  await react(writer, aPeer(reader), own, emoji('👍'));
  await sandbox.call(reader, 'messages.deleteMessages', { id: [theirs] });
  const { updates } = await sandbox.watch(writer, () => react(writer, aPeer(reader), own, emoji('🔥')));
  expect(updates.map(({ accountId }) => accountId)).toEqual([writer.id]);
  const key = stateKey(workspaceId, reactionsKey(`u${writer.userId}:${own}`));
  expect(await sandbox.redis.exists(key)).toBe(1);
  await sandbox.call(writer, 'messages.deleteMessages', { id: [own], revoke: true });
  expect(await sandbox.redis.exists(key)).toBe(0);
});

it('leaves nothing of a message that each side of a chat has deleted for itself', async () => {
  await sandbox.send(writer, aPeer(reader), 'Hello');
  const [own, theirs] = [await newest(writer, aPeer(reader)), await newest(reader, aPeer(writer))];
  await react(reader, aPeer(writer), theirs.id, emoji('👍'));
  const kept = () => sandbox.redis.exists(stateKey(workspaceId, reactionsKey(`u${writer.userId}:${own.id}`)));
  await sandbox.call(writer, 'messages.deleteMessages', { id: [own.id] });
  expect(await kept()).toBe(1);
  expect((await newest(reader, aPeer(writer))).reactions.results).toMatchObject([{ count: 1 }]);
  await sandbox.call(reader, 'messages.deleteMessages', { id: [theirs.id] });
  expect(await kept()).toBe(0);
});

it.each(['private chat', 'basic group'])(
  'shows both of two reactions given at once in a %s',
  async (kind) => {
    const group = kind === 'basic group' ? await sandbox.aGroup(writer, reader) : null;
    const [own, theirs] = [group ?? aPeer(reader), group ?? aPeer(writer)];
    await sandbox.send(writer, own, 'Hello');
    const [{ id }, { id: theirId }] = [await newest(writer, own), await newest(reader, theirs)];
    const reactBeside = (...given: object[]) =>
      afterListIn(
        sandbox,
        'messages.sendReaction',
        () => react(reader, theirs, theirId, ...given),
        'hgetall',
      );
    const shown = async () => {
      const both = [await newest(writer, own), await newest(reader, theirs)];
      return both.map(({ reactions }) =>
        reactions.results.map((one: { reaction: object; count: number }) => [one.reaction, one.count]),
      );
    };

    reactBeside(emoji('👍'));
    const { updates } = await sandbox.watch(writer, () => react(writer, own, id, emoji('👍')));
    expect(await shown()).toEqual([[[emoji('👍'), 2]], [[emoji('👍'), 2]]]);
    expect(updates.at(-1)?.update.reactions.results).toMatchObject([{ count: 2 }]);
    reactBeside();
    await react(writer, own, id, emoji('🔥'));
    expect(await shown()).toEqual([[[emoji('🔥'), 1]], [[emoji('🔥'), 1]]]);
  },
);

it('runs few reactions again when many members of a basic group react at once', async () => {
  const COUNT = 40;
  const apart = { workspaceId: newId('workspace') };
  const members = await Promise.all(Array.from({ length: COUNT }, () => sandbox.anAccount('Member', apart)));
  const [first, ...others] = members as [SandboxAccount, ...SandboxAccount[]];
  const group = await sandbox.aGroup(first, ...others);
  await sandbox.send(first, group, 'Hello');
  const ids = await Promise.all(members.map(async (member) => (await newest(member, group)).id));
  const before = sandbox.conflicts;
  await Promise.all(members.map((member, index) => react(member, group, ids[index], emoji('👍'))));
  // Were all to try again at once, 780.
  expect(sandbox.conflicts - before).toBeLessThan(3 * COUNT);
  expect((await newest(first, group)).reactions.results).toMatchObject([{ count: COUNT }]);
});

it.each(['one after the other', 'at once', 'and one by leaving'])(
  'leaves nothing of a message that each member of a group has deleted for itself, %s',
  async (how) => {
    const group = await sandbox.aGroup(writer, reader);
    await sandbox.send(writer, group, 'Hello');
    const [own, theirs] = [await newest(writer, group), await newest(reader, group)];
    await react(reader, group, theirs.id, emoji('👍'));
    const keyOf = (name: string) => stateKey(workspaceId, name);
    const stored = await sandbox.redis.hget(keyOf(messagesKey(`u${writer.userId}`)), String(own.id));
    const { copies } = JSON.parse(stored as string);
    const kept = async () => [
      await sandbox.redis.hexists(keyOf(COPIES), String(copies)),
      await sandbox.redis.exists(keyOf(reactionsKey(`x${copies}`))),
    ];
    const remove = () => sandbox.call(writer, 'messages.deleteMessages', { id: [own.id] });
    if (how === 'at once') beforeCommitOf(sandbox, 'messages.deleteMessages', remove);
    else await remove();
    expect(await kept()).toEqual([1, 1]);
    if (how.endsWith('leaving')) {
      const userId = { _: 'inputUserSelf' };
      const { chatId } = group;
      await sandbox.call(reader, 'messages.deleteChatUser', { chatId, userId, revokeHistory: true });
    } else await sandbox.call(reader, 'messages.deleteMessages', { id: [theirs.id] });
    expect(await kept()).toEqual([0, 0]);
  },
);

it('counts reactions to a post without saying whose they are', async () => {
  const peer = await furnishedChannel();
  await react(writer, peer, 1, emoji('👍'));
  const { reactions } = await newest(writer, peer);
  expect(reactions).toMatchObject({ canSeeList: false, results: [{ count: 1, chosenOrder: 1 }] });
  expect(reactions).not.toHaveProperty('recentReactions');
  expect((await newest(reader, peer)).reactions.results[0]).not.toHaveProperty('chosenOrder');
});

it.each(['before it', 'meanwhile', 'though it was deleted meanwhile'])(
  'keeps nothing of a reaction to a deleted post that was given %s',
  async (when) => {
    const { id: channelId, channel, peer } = await aChannel(sandbox, writer, { broadcast: true });
    await sandbox.send(writer, peer, 'Hello');
    const { id } = await newest(writer, peer);
    const give = () => react(writer, peer, id, emoji('👍'));
    const remove = () => sandbox.call(writer, 'channels.deleteMessages', { channel, id: [id] });
    if (when === 'before it') await give();
    if (when === 'meanwhile') beforeCommitOf(sandbox, 'channels.deleteMessages', give);
    if (when.startsWith('though')) {
      beforeCommitOf(sandbox, 'messages.sendReaction', remove);
      expect((await give()).code).toBe('MESSAGE_ID_INVALID');
    } else await remove();
    const key = (name: string) => stateKey(workspaceId, name);
    expect(await sandbox.redis.keys(key(`reaction*:c${channelId}:${id}`))).toEqual([]);
    expect(await sandbox.redis.exists(key(reactedKey(channelId)))).toBe(0);
  },
);

/** The keys with what a workspace has counted of views, and of who has viewed or heard posts. */
function countedKeys(): Promise<string[]> {
  return Promise.all(
    ['view*', 'consumed*'].map((name) => sandbox.redis.keys(stateKey(workspaceId, name))),
  ).then((found) => found.flat().sort());
}

it.each(['afterwards', 'meanwhile', 'before its commit', 'with its channel'])(
  'keeps nothing of who viewed a post, or heard a message, that was deleted %s',
  async (when) => {
    const before = await countedKeys();
    const news = await aChannel(sandbox, writer, { broadcast: true }, reader);
    const talk = await aChannel(sandbox, writer, { megagroup: true }, reader);
    await sandbox.send(writer, news.peer, 'Hello');
    await sandbox.sendFile(writer, talk.peer, 'voice');
    const id = [(await newest(writer, news.peer)).id];
    const heard = [(await newest(writer, talk.peer)).id];
    const view = () =>
      sandbox.call(reader, 'messages.getMessagesViews', { peer: news.peer, id, increment: true });
    const hear = () =>
      sandbox.call(reader, 'channels.readMessageContents', { channel: talk.channel, id: heard });
    const remove = () => sandbox.call(writer, 'channels.deleteMessages', { channel: news.channel, id });
    const removeHeard = () =>
      sandbox.call(writer, 'channels.deleteMessages', { channel: talk.channel, id: heard });
    if (when === 'afterwards' || when === 'with its channel') {
      await view();
      await hear();
      expect(await countedKeys()).toHaveLength(before.length + 4);
    }
    if (when === 'afterwards') for (const each of [remove, removeHeard]) await each();
    if (when === 'with its channel')
      for (const { channel } of [news, talk])
        await sandbox.call(writer, 'channels.deleteChannel', { channel });
    if (when === 'meanwhile')
      for (const [each, act] of [
        [remove, view],
        [removeHeard, hear],
      ] as const) {
        beforeCommitOf(sandbox, 'channels.deleteMessages', act);
        await each();
      }
    if (when === 'before its commit') {
      beforeCommitOf(sandbox, 'messages.getMessagesViews', remove);
      await view();
      beforeCommitOf(sandbox, 'channels.readMessageContents', removeHeard);
      await hear();
    }
    expect(await countedKeys()).toEqual(before);
  },
);

it('takes a reaction away by none, or by the empty one', async () => {
  await sandbox.call(writer, 'messages.sendMessage', { peer: aPeer(reader), message: 'Hello' });
  const { id } = await newest(writer, aPeer(reader));
  for (const none of [[], [{ _: 'reactionEmpty' }]]) {
    await react(writer, aPeer(reader), id, emoji('👍'));
    expect((await newest(writer, aPeer(reader))).reactions).toBeDefined();
    await react(writer, aPeer(reader), id, ...none);
    expect((await newest(writer, aPeer(reader))).reactions).toBeUndefined();
  }
});

it('counts an emoji as one reaction, with a variation selector or without', async () => {
  await sandbox.send(writer, aPeer(reader), 'Hello');
  const { id } = await newest(writer, aPeer(reader));
  await react(writer, aPeer(reader), id, emoji('❤'));
  await react(reader, aPeer(writer), (await newest(reader, aPeer(writer))).id, emoji('❤\ufe0f'));
  const { reactions } = await newest(writer, aPeer(reader));
  expect(reactions.results).toEqual([{ _: 'reactionCount', chosenOrder: 1, reaction: emoji('❤'), count: 2 }]);
  expect((await react(writer, aPeer(reader), id, emoji('❤\ufe0f'))).code).toBe('MESSAGE_NOT_MODIFIED');
  const asked = { peer: aPeer(reader), id, limit: 10, reaction: emoji('❤\ufe0f') };
  expect((await sandbox.call(writer, 'messages.getMessageReactionsList', asked)).count).toBe(2);
});

it('refuses reactions that cannot be given', async () => {
  const peer = aPeer(reader);
  await sandbox.call(writer, 'messages.sendMessage', { peer, message: 'Hello' });
  const { id } = await newest(writer, peer);
  const code = async (...reactions: object[]) => (await react(writer, peer, id, ...reactions)).code;
  expect(await code()).toBe('MESSAGE_NOT_MODIFIED');
  expect(await code(emoji('👍'), emoji('🔥'))).toBe('REACTIONS_TOO_MANY');
  expect(await code(emoji('x'))).toBe('REACTION_INVALID');
  expect(await code({ _: 'reactionPaid' })).toBe('REACTION_INVALID');
  expect(await code({ _: 'reactionCustomEmoji', documentId: '1' })).toBe('PREMIUM_ACCOUNT_REQUIRED');
  expect((await react(writer, peer, 999_999, emoji('👍'))).code).toBe('MESSAGE_ID_INVALID');
  const nobody = { _: 'inputPeerUser', userId: 4_242, accessHash: '0' };
  expect((await react(writer, nobody, 1, emoji('👍'))).code).toBe('PEER_ID_INVALID');
  const nowhere = { _: 'inputPeerChannel', channelId: 4_242, accessHash: '0' };
  expect((await react(writer, nowhere, 1, emoji('👍'))).code).toBe('CHANNEL_INVALID');
  expect((await react(reader, await furnishedChannel(), 1, emoji('👍'))).code).toBe('CHAT_WRITE_FORBIDDEN');
});

it('is refused to members where none may react, and not to administrators', async () => {
  const [group, { peer, channel }] = [
    await sandbox.aGroup(writer, reader),
    await aChannel(sandbox, writer, { megagroup: true }, reader),
  ];
  const bannedRights = { _: 'chatBannedRights', sendReactions: true, untilDate: 0 };
  for (const to of [group, peer]) {
    await sandbox.send(writer, to, 'No comment');
    await sandbox.call(writer, 'messages.editChatDefaultBannedRights', { peer: to, bannedRights });
    const [{ id: own }, { id }] = [await newest(writer, to), await newest(reader, to)];
    expect(await react(reader, to, id, emoji('👍'))).toMatchObject({ code: 'CHAT_WRITE_FORBIDDEN' });
    expect(await react(writer, to, own, emoji('👍'))).toHaveProperty('result');
  }
  const adminRights = { _: 'chatAdminRights', deleteMessages: true };
  await sandbox.call(writer, 'channels.editAdmin', { channel, userId: userOf(reader), adminRights });
  const { id } = await newest(reader, peer);
  expect(await react(reader, peer, id, emoji('👍'))).toHaveProperty('result');
});

it('counts a view of each account once, and tells the others', async () => {
  const peer = await furnishedChannel();
  const view = (account: SandboxAccount, increment: boolean, id = [1, 999]) =>
    sandbox.answer(account, 'messages.getMessagesViews', { peer, id, increment });
  const before = (await view(reader, false)).body.result;
  expect(before).toMatchObject({
    _: 'messages.messageViews',
    views: [{ views: expect.any(Number), forwards: 1 }, { _: 'messageViews' }],
  });
  const { views } = before.views[0];
  const counted = await view(reader, true);
  expect(counted.body.result.views[0].views).toBe(views + 1);
  expect((await view(reader, true)).body.result.views[0].views).toBe(views + 1);
  expect((await newest(writer, peer)).views).toBe(views + 1);
  const updates = (await sandbox.updates({ workspaceId })).filter(({ txid }) => txid === counted.body.txid);
  expect(updates).toMatchObject([
    { accountId: writer.id, update: { _: 'updateChannelMessageViews', id: 1, views: views + 1 } },
  ]);
  expect((await view(reader, true, [0])).body.code).toBe('MSG_ID_INVALID');
});

it('counts the views of a hundred posts, though the members hear only of some', async () => {
  const { id: channelId, peer } = await aChannel(sandbox, writer, { broadcast: true });
  for (let n = 0; n < 100; n += 1) await sandbox.send(writer, peer, `${n}`);
  const members = await Promise.all(
    Array.from({ length: 85 }, (_, n) => sandbox.anAccount(`M${n}`, { workspaceId })),
  );
  for (const member of [reader, ...members]) await sandbox.letIn(member, channelId);
  const id = (await sandbox.history(writer, peer)).map((post) => post.id);
  const view = () => sandbox.answer(reader, 'messages.getMessagesViews', { peer, id, increment: true });
  const { body } = await view();
  const shown = { views: Array(100).fill(expect.objectContaining({ views: 2 })) };
  expect(body.result).toMatchObject(shown);
  const told = (await sandbox.updates({ workspaceId }, body.txid - 1)).map(({ accountId }) => accountId);
  expect(told.length).toBeLessThan(4_000);
  expect(told.filter((accountId) => accountId === writer.id).length).toBeGreaterThan(40);
  expect((await view()).body.result).toMatchObject(shown);
});

it('refuses what lies in a channel that is not open to the account', async () => {
  const made = await sandbox.call(writer, 'channels.createChannel', {
    title: 'Closed',
    about: '',
    broadcast: true,
  });
  const [{ id: channelId }] = made.chats;
  const peer = { _: 'inputPeerChannel', channelId, accessHash: '0' };
  const reaction = [emoji('👍')];
  for (const [method, params] of [
    ['messages.sendReaction', { msgId: 1, reaction }],
    ['messages.getMessagesViews', { id: [1], increment: true }],
    ['messages.sendVote', { msgId: 1, options: [] }],
    ['messages.getSponsoredMessages', {}],
  ] as const) {
    const answer = await sandbox.answer(reader, method, { peer, ...params });
    expect([method, answer.body.code]).toEqual([method, 'CHANNEL_PRIVATE']);
  }
  const chat = { peer: { _: 'inputPeerChat', chatId: 4_242 }, id: [1], increment: false };
  expect((await sandbox.answer(reader, 'messages.getMessagesViews', chat)).body.code).toBe('CHAT_ID_INVALID');
});

it('answers with the message as it is then, in a channel and where the reaction is taken back', async () => {
  const peer = await furnishedChannel();
  const edit = async (...reactions: object[]) =>
    (await react(writer, peer, 1, ...reactions)).result.updates[0];
  await react(writer, peer, 1);
  const reacted = await edit(emoji('🔥'));
  const shown = await newest(writer, peer);
  expect(reacted).toMatchObject({ _: 'updateEditChannelMessage', message: shown, ptsCount: 0 });
  const plain = await edit();
  expect(plain.message).toMatchObject({ id: 1, views: shown.views });
  expect(plain.message).not.toHaveProperty('reactions');
});

it('gives the reactions to messages, and page by page who reacted', async () => {
  const more = await Promise.all(
    ['Cleo', 'Dan', 'Eve'].map((name) => sandbox.anAccount(name, { workspaceId })),
  );
  const group = await sandbox.aGroup(writer, reader, ...more);
  await sandbox.send(writer, group, 'Hello');
  for (const [index, account] of [reader, ...more].entries()) {
    const { id } = await newest(account, group);
    await react(account, group, id, emoji(index === 0 ? '🔥' : '👍'));
  }
  const { id } = await newest(writer, group);
  const given = await sandbox.call(writer, 'messages.getMessagesReactions', {
    peer: group,
    id: [999_999, id, id - 1],
  });
  expect(given.updates).toMatchObject([
    { msgId: id, reactions: { results: [{ reaction: emoji('👍'), count: 3 }, { count: 1 }] } },
    { msgId: id - 1, reactions: { results: [] } },
  ]);
  expect(given.users).toHaveLength(4);

  const list = (params: object) =>
    sandbox.call(writer, 'messages.getMessageReactionsList', { peer: group, id, limit: 2, ...params });
  const seen: number[] = [];
  let offset: string | undefined;
  do {
    const page = await list(offset === undefined ? {} : { offset });
    expect(page).toMatchObject({ count: 4, users: expect.any(Array) });
    seen.push(...page.reactions.map(({ peerId }: { peerId: { userId: number } }) => peerId.userId));
    offset = page.nextOffset;
  } while (offset !== undefined);
  expect(new Set(seen)).toEqual(new Set([reader, ...more].map(({ userId }) => userId)));
  expect(seen).toHaveLength(4);
  expect(await list({ reaction: emoji('🔥') })).toMatchObject({
    count: 1,
    reactions: [{ peerId: { userId: reader.userId }, reaction: emoji('🔥') }],
  });
});

it('says who reacted to no post, and nothing of messages that are not there', async () => {
  const peer = await furnishedChannel();
  const list = (params: object) =>
    sandbox.refusal(writer, 'messages.getMessageReactionsList', { peer, id: 1, limit: 2, ...params });
  expect(await list({})).toBe('BROADCAST_FORBIDDEN');
  expect(await list({ id: 999 })).toBe('MSG_ID_INVALID');
  expect(await list({ offset: 'x' })).toBe('OFFSET_INVALID');
  const some = { peer: aPeer(reader), id: [999_999] };
  expect(await sandbox.refusal(writer, 'messages.getMessagesReactions', some)).toBe('MSG_ID_INVALID');
});

it('shows a new member of a group the reactions of others as theirs', async () => {
  const peer = await sandbox.aGroup(writer, reader);
  await sandbox.send(writer, peer, 'Hello');
  await react(writer, peer, (await newest(writer, peer)).id, emoji('👍'));
  const cleo = await sandbox.anAccount('Cleo', { workspaceId });
  const userId = { _: 'inputUser', userId: cleo.userId, accessHash: '0' };
  await sandbox.call(writer, 'messages.addChatUser', { chatId: peer.chatId, userId, fwdLimit: 10 });
  const [hello] = (await sandbox.history(cleo, peer)).filter(({ message }) => message === 'Hello');
  const { results, recentReactions } = hello.reactions;
  expect(results).toEqual([{ _: 'reactionCount', reaction: emoji('👍'), count: 1 }]);
  expect(recentReactions).toMatchObject([{ peerId: { userId: writer.userId } }]);
  expect(recentReactions[0].my).not.toBe(true);
});

it('are shown with a message that is edited, and so are the votes of its poll', async () => {
  const { chats } = await sandbox.call(writer, 'channels.createChannel', {
    title: 'Group',
    about: '',
    megagroup: true,
  });
  const channel = { _: 'inputChannel', channelId: chats[0].id, accessHash: '0' };
  const peer = { ...channel, _: 'inputPeerChannel' };
  await sandbox.call(writer, 'channels.inviteToChannel', {
    channel,
    users: [{ _: 'inputUser', userId: reader.userId, accessHash: '0' }],
  });
  const edited = async (message: string, id: number) => {
    const edit = () => sandbox.call(writer, 'messages.editMessage', { peer, id, message });
    const { result, updates } = await sandbox.watch(writer, edit);
    const theirs = updates.find(({ accountId }) => accountId === reader.id)?.update.message;
    return [result.updates[0].message, theirs];
  };

  await sandbox.send(writer, peer, 'Hello');
  const { id } = await newest(writer, peer);
  await react(reader, peer, id, emoji('👍'));
  const [own, theirs] = await edited('Hello again', id);
  expect(own.reactions.results).toEqual([{ _: 'reactionCount', reaction: emoji('👍'), count: 1 }]);
  expect(theirs.reactions.results).toMatchObject([{ count: 1, chosenOrder: 1 }]);

  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const option = Buffer.from('a').toString('base64');
  const answers = [{ _: 'pollAnswer', text: text('a'), option }];
  const poll = { _: 'poll', id: '0', hash: '0', question: text('Which?'), answers };
  const media = { _: 'inputMediaPoll', poll };
  await sandbox.call(writer, 'messages.sendMedia', { peer, media, message: 'A poll' });
  const { id: msgId } = await newest(writer, peer);
  await sandbox.call(reader, 'messages.sendVote', { peer, msgId, options: [option] });
  const [asked, voted] = await edited('The poll', msgId);
  expect(asked.media.results).toMatchObject({ totalVoters: 1 });
  expect(voted.media.results.results).toMatchObject([{ voters: 1, chosen: true }]);
});
