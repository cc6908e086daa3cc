import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
