import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { peerOf, Sandbox, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

describe('the users and chats beside an update', () => {
  it('are those it mentions, as its receiver sees them', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.call(bob, 'contacts.addContact', {
      id: userOf(ada),
      firstName: 'Countess',
      lastName: '',
      phone: '',
    });
    const { updates } = await sandbox.watch(ada, () => sandbox.send(ada, peerOf(bob), 'Hello'));
    const [own, heard] = [ada, bob].map(({ id }) => updates.find(({ accountId }) => accountId === id));
    expect(own?.users).toMatchObject([{ id: ada.userId, self: true }, { id: bob.userId }]);
    expect(heard?.users).toMatchObject([{ id: ada.userId, firstName: 'Countess', contact: true }]);
    expect([own?.chats, heard?.chats]).toEqual([[], []]);
  });

  it('are there of a group and a channel that the call itself makes', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.watch(ada, () => sandbox.aGroup(ada, bob));
    for (const { chats } of group.updates) expect(chats).toMatchObject([{ _: 'chat', title: 'Group' }]);
    const params = { title: 'News', about: '', broadcast: true };
    const channel = await sandbox.watch(ada, () => sandbox.call(ada, 'channels.createChannel', params));
    expect(channel.updates.length).toBeGreaterThan(0);
    for (const { chats } of channel.updates) {
      expect(chats).toMatchObject([{ _: 'channel', title: 'News', creator: true }]);
      expect(chats[0].left).toBeUndefined();
    }
  });

  it('are there of a privacy rule, which names groups and supergroups by their ids only', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { chatId } = await sandbox.aGroup(ada, bob);
    const { id } = await aChannel(sandbox, ada, { megagroup: true });
    const rules = [{ _: 'inputPrivacyValueAllowChatParticipants', chats: [chatId, id] }];
    const key = { _: 'inputPrivacyKeyForwards' };
    const { updates } = await sandbox.watch(ada, () =>
      sandbox.call(ada, 'account.setPrivacy', { key, rules }),
    );
    expect(updates).toMatchObject([{ update: { _: 'updatePrivacy' }, chats: [{ id: chatId }, { id }] }]);
  });

  it('are named once, and left out where there are none', async () => {
    const ada = await sandbox.anAccount();
    const { updates } = await sandbox.watch(ada, () => sandbox.send(ada, { _: 'inputPeerSelf' }, 'Note'));
    expect(updates.map(({ users, chats }) => [users.length, chats.length])).toEqual([[1, 0]]);
  });

  it('are fewer where a call tells many accounts of many peers', async () => {
    const ada = await sandbox.anAccount();
    const others = await Promise.all(
      Array.from({ length: 12 }, () => sandbox.anAccount('Other', { workspaceId: ada.workspaceId })),
    );
    const ids = others.flatMap(({ userId }) => [userId, userId + 1, userId + 2, userId + 3]);
    const users = ids.map((userId) => ({ _: 'inputUser', userId, accessHash: '0' }));
    const { updates } = await sandbox.watch(ada, () =>
      sandbox.call(ada, 'messages.createChat', { title: 'Crowd', users }),
    );
    const made = updates.filter(({ update }) => update.message?.action);
    const most = Math.floor(400 / updates.length);
    expect(most).toBeLessThan(users.length);
    expect(new Set(made.map((one) => one.users.length))).toEqual(new Set([most]));
    for (const one of made) expect(one.users[0]).toMatchObject({ id: ada.userId });
  });

  it('are those that a caller may name, and no private channel that it names itself', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { id, peer: hidden } = await aChannel(sandbox, bob, { megagroup: true });
    const peer = peerOf(bob);
    const draft = { peer, message: 'Draft' };
    const elsewhere = { _: 'inputReplyToMessage', replyToMsgId: 1, replyToPeerId: hidden };
    expect(await sandbox.refusal(ada, 'messages.saveDraft', { ...draft, replyTo: elsewhere })).toBe(
      'CHANNEL_PRIVATE',
    );
    const story = { _: 'inputReplyToStory', peer: hidden, storyId: 1 };
    const saved = await sandbox.watch(ada, () =>
      sandbox.call(ada, 'messages.saveDraft', { ...draft, replyTo: story }),
    );
    expect(saved.updates).toMatchObject([{ users: [{ id: bob.userId }], chats: [] }]);
    const text = (of: string) => ({ _: 'textWithEntities', text: of, entities: [] });
    const giveaway = { _: 'messageMediaGiveaway', channels: [id], quantity: 1, untilDate: 1 };
    const answers = [{ _: 'pollAnswer', text: text('Yes'), option: 'AA==', media: giveaway }];
    const poll = { _: 'poll', id: '0', question: text('Why?'), answers, hash: '0' };
    const media = { _: 'inputMediaPoll', poll };
    expect(
      await sandbox.refusal(ada, 'messages.sendMedia', { peer, media, message: '', randomId: '1' }),
    ).toBe('CHANNEL_PRIVATE');
  });

  it('are no users that a strict account names without having seen them', async () => {
    const ada = await sandbox.anAccount('Ada', { strictPeers: true });
    const bob = await sandbox.anAccount('Bob', { workspaceId: ada.workspaceId });
    const entities = [{ _: 'messageEntityMentionName', offset: 0, length: 3, userId: bob.userId }];
    const peer = { _: 'inputPeerSelf' };
    for (const method of ['saveDraft', 'sendMessage'])
      expect(await sandbox.refusal(ada, `messages.${method}`, { peer, message: 'Bob', entities })).toBe(
        'ENTITY_MENTION_USER_INVALID',
      );
    const text = { _: 'textWithEntities', text: 'Bob', entities };
    const action = { _: 'sendMessageTextDraftAction', randomId: '1', text };
    const refused = (given: object) =>
      sandbox.refusal(ada, 'messages.setTyping', {
        peer,
        action: { ...action, text: { ...text, ...given } },
      });
    expect(await refused({})).toBe('USER_ID_INVALID');
    const many = Array.from({ length: 101 }, (_, i) => ({ ...entities[0], length: 1, userId: i + 1 }));
    expect(await refused({ entities: many })).toBe('ENTITIES_TOO_LONG');
  });

  it('are forbidden channels for who was banned, and have no access hash for who is not in a private one', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { channel } = await aChannel(sandbox, ada, { megagroup: true }, bob);
    const ban = async (rights: object) => {
      const bannedRights = { _: 'chatBannedRights', untilDate: 0, ...rights };
      const { updates } = await sandbox.watch(ada, () =>
        sandbox.call(ada, 'channels.editBanned', { channel, participant: peerOf(bob), bannedRights }),
      );
      return updates.filter(({ accountId }) => accountId === bob.id);
    };
    expect(await ban({ viewMessages: true })).toMatchObject([{ chats: [{ _: 'channelForbidden' }] }]);
    const [lifted] = await ban({});
    expect(lifted).toMatchObject({ chats: [{ _: 'channel', left: true }] });
    expect(lifted?.chats[0]).not.toHaveProperty('accessHash');
  });
});
