import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { messagesKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const PAGE = { offsetDate: 0, offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' }, limit: 100, hash: '0' };

const listDialogs = async (account: SandboxAccount) =>
  (await sandbox.call(account, 'messages.getDialogs', PAGE)).dialogs;

function toInput({ _, ...ids }: { _: string }): object {
  const input = { ...ids, _: _.replace('peer', 'inputPeer') };
  return 'chatId' in ids ? input : { ...input, accessHash: '0' };
}

/** The peers of all dialogs, as a client finds them that asks for one after the other. */
async function pageThrough(account: SandboxAccount): Promise<object[]> {
  const seen: object[] = [];
  let page: object = { ...PAGE, limit: 1 };
  for (let round = 0; round < 20; round += 1) {
    const { dialogs, messages } = await sandbox.call(account, 'messages.getDialogs', page);
    if (dialogs.length === 0) break;
    const [{ peer, topMessage }] = dialogs;
    seen.push(peer);
    page = { ...page, offsetDate: messages[0].date, offsetId: topMessage, offsetPeer: toInput(peer) };
  }
  return seen;
}

/** Makes the first post of a channel as old as that. */
async function date({ workspaceId }: SandboxAccount, channelId: number, date: number): Promise<void> {
  const key = stateKey(workspaceId, messagesKey(`c${channelId}`));
  const stored = JSON.parse((await sandbox.redis.hget(key, '1')) ?? '');
  stored.message.date = date;
  await sandbox.redis.hset(key, '1', JSON.stringify(stored));
}

it('puts a channel back where its newest message belongs once a newer one is deleted', async () => {
  const ada = await sandbox.anAccount();
  const { channelId } = await sandbox.seeded(ada);
  await date(ada, channelId, 1_000);
  const sent = await sandbox.send(ada, channelOf(channelId), 'Wrong');
  const channel = { _: 'inputChannel', channelId, accessHash: '0' };
  await sandbox.call(ada, 'channels.deleteMessages', { channel, id: [sent.updates[0].id] });
  const dialogs = await listDialogs(ada);
  expect(dialogs.at(-1)).toMatchObject({ peer: { _: 'peerChannel', channelId }, topMessage: 1 });
  expect(await pageThrough(ada)).toEqual(dialogs.map(({ peer }: { peer: object }) => peer));
});

it('puts a channel that is joined where its newest message belongs', async () => {
  const ada = await sandbox.anAccount();
  const { channelId } = await sandbox.seeded(ada);
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  await date(ada, channelId, 1_000);
  const channel = { _: 'inputChannel', channelId, accessHash: '0' };
  await sandbox.call(eve, 'channels.joinChannel', { channel });
  const dialogs = await listDialogs(eve);
  expect(dialogs.at(-1)).toMatchObject({ peer: { channelId }, topMessage: 1 });
});

it('goes on behind a basic group that the account has left', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(bob, peerOf(ada), 'Hello');
  const { chatId } = await sandbox.aGroup(ada, bob);
  await sandbox.call(bob, 'messages.deleteChatUser', { chatId, userId: { _: 'inputUserSelf' } });
  const dialogs = await listDialogs(bob);
  const peers = dialogs.map(({ peer }: { peer: object }) => peer);
  expect(peers).toContainEqual({ _: 'peerChat', chatId });
  expect(await pageThrough(bob)).toEqual(peers);
});

it('gives the dialogs of some peers, and the state of the account with them', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  await sandbox.send(bob, peerOf(ada), 'Hello');
  const { forumId } = await sandbox.seeded(ada);
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const ask = (...peers: object[]) => ({ peers: peers.map((peer) => ({ _: 'inputDialogPeer', peer })) });
  const { result, updates } = await sandbox.watch(ada, () =>
    sandbox.call(
      ada,
      'messages.getPeerDialogs',
      ask(peerOf(bob), channelOf(forumId), peerOf(eve), peerOf(bob)),
    ),
  );
  const listed = await listDialogs(ada);
  const known = (id: number) => listed.find(({ peer }: { peer: object }) => Object.values(peer).includes(id));
  expect(result.dialogs).toEqual([
    known(bob.userId),
    known(forumId),
    expect.objectContaining({ peer: { _: 'peerUser', userId: eve.userId }, topMessage: 0, unreadCount: 0 }),
  ]);
  expect(result.messages).toMatchObject([{ message: 'Hello' }, { peerId: { channelId: forumId } }]);
  expect(result.state).toEqual({
    ...(await sandbox.call(ada, 'updates.getState')),
    date: expect.any(Number),
  });
  expect(updates).toEqual([]);
  const refuse = (params: object) => sandbox.refusal(ada, 'messages.getPeerDialogs', params);
  expect(await refuse({ peers: [] })).toBe('INPUT_PEERS_EMPTY');
  expect(await refuse(ask({ _: 'inputPeerChat', chatId: 4_242 }))).toBe('PEER_ID_INVALID');
  expect(await refuse({ peers: [{ _: 'inputDialogPeerFolder', folderId: 1 }] })).toBe('PEER_ID_INVALID');
});
