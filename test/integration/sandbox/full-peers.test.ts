import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../support/sandbox/a-channel.ts';
import { aRandomId, peerOf, Sandbox, type SandboxAccount, userOf } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

it('says of a user, a group and a channel whether they are archived', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const { channel, peer } = await aChannel(sandbox, ada, { broadcast: true });
  await sandbox.send(ada, peerOf(bob), 'Hello');
  const foldersOf = async () => {
    const { fullUser } = await sandbox.call(ada, 'users.getFullUser', { id: userOf(bob) });
    const chat = await sandbox.call(ada, 'messages.getFullChat', { chatId: group.chatId });
    const full = await sandbox.call(ada, 'channels.getFullChannel', { channel });
    return [fullUser.folderId, chat.fullChat.folderId, full.fullChat.folderId];
  };
  expect(await foldersOf()).toEqual([undefined, undefined, undefined]);
  const folderPeers = [peerOf(bob), group, peer].map((one) => ({
    _: 'inputFolderPeer',
    peer: one,
    folderId: 1,
  }));
  await sandbox.call(ada, 'folders.editPeerFolders', { folderPeers });
  expect(await foldersOf()).toEqual([1, 1, 1]);
});

it('says of a group and a channel that any emoji may be a reaction there', async () => {
  const { chatId } = await sandbox.aGroup(ada, bob);
  const { channel } = await aChannel(sandbox, ada, { megagroup: true });
  const chat = await sandbox.call(ada, 'messages.getFullChat', { chatId });
  const full = await sandbox.call(ada, 'channels.getFullChannel', { channel });
  for (const { fullChat } of [chat, full])
    expect(fullChat.availableReactions).toMatchObject({ _: 'chatReactionsAll' });
});

it('names whom forwards do not link to by both names, in its full view as in a forward', async () => {
  await sandbox.call(bob, 'account.updateProfile', { lastName: 'Builder' });
  const key = { _: 'inputPrivacyKeyForwards' };
  const setRule = (name: string) =>
    sandbox.call(bob, 'account.setPrivacy', { key, rules: [{ _: `inputPrivacyValue${name}` }] });
  const nameOfBob = async (by: SandboxAccount) =>
    (await sandbox.call(by, 'users.getFullUser', { id: userOf(bob) })).fullUser.privateForwardName;
  await setRule('DisallowAll');
  expect([await nameOfBob(ada), await nameOfBob(bob)]).toEqual(['Bob Builder', undefined]);
  await sandbox.send(bob, peerOf(ada), 'Hello');
  const { id } = await sandbox.newest(ada, peerOf(bob));
  const forward = {
    fromPeer: peerOf(bob),
    id: [id],
    randomId: [aRandomId()],
    toPeer: { _: 'inputPeerSelf' },
  };
  await sandbox.call(ada, 'messages.forwardMessages', forward);
  const saved = await sandbox.newest(ada, { _: 'inputPeerSelf' });
  expect(saved.fwdFrom.fromName).toBe('Bob Builder');
  await setRule('AllowAll');
  expect(await nameOfBob(ada)).toBeUndefined();
});
