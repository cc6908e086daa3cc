import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { aPoll, optionOf } from '../../../support/sandbox/a-poll.ts';
import { aRandomId, peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let cleo: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
});

afterAll(() => sandbox.close());

/** Ada sends a poll, in which Bob votes; gives the ids of the message. */
async function votedPoll(own: object, theirs: object): Promise<{ own: number; theirs: number }> {
  await sandbox.call(ada, 'messages.sendMedia', { peer: own, message: 'A poll', media: aPoll() });
  const [sent, received] = [await sandbox.newest(ada, own), await sandbox.newest(bob, theirs)];
  await vote(bob, theirs, received.id);
  return { own: sent.id, theirs: received.id };
}

function vote(account: SandboxAccount, peer: object, msgId: number) {
  return sandbox.call(account, 'messages.sendVote', { peer, msgId, options: [optionOf('a')] });
}

it('a poll whose message is edited is shown with its votes to each side', async () => {
  const { own: id } = await votedPoll(peerOf(bob), peerOf(ada));
  const edit = () =>
    sandbox.call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message: 'The poll' });
  const { result, updates } = await sandbox.watch(ada, edit);
  expect(result.updates[0].message.media.results).toMatchObject({ totalVoters: 1 });
  const { message } = updates.find(({ accountId }) => accountId === bob.id)?.update ?? {};
  expect(message).toMatchObject({ message: 'The poll', media: { results: { totalVoters: 1 } } });
  expect(message.media.results.results).toMatchObject([{ voters: 1, chosen: true }, { voters: 0 }]);
  expect(result.updates[0].message.media.poll.creator).toBe(true);
  expect(message.media.poll.creator).not.toBe(true);
});

it('a poll that is forwarded arrives as it is then, also if that is scheduled', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const { own, theirs } = await votedPoll(group, group);
  const forward = (more: object = {}) =>
    sandbox.call(bob, 'messages.forwardMessages', {
      fromPeer: group,
      id: [theirs],
      randomId: [aRandomId()],
      toPeer: peerOf(cleo),
      ...more,
    });
  const received = async (act: () => Promise<unknown>) => {
    const { updates } = await sandbox.watch(cleo, act);
    const arrived = updates.filter((one) => one.accountId === cleo.id && one.update._ === 'updateNewMessage');
    return arrived.map(({ update }) => update.message.media);
  };
  const [open] = await received(() => forward());
  expect(open.results).toMatchObject({ min: true, totalVoters: 1 });
  expect(open.results.results).toBeUndefined();
  expect(open.poll.closed).not.toBe(true);

  const scheduleDate = Math.floor(Date.now() / 1_000) + 1_000;
  await forward({ scheduleDate });
  await sandbox.call(ada, 'messages.editMessage', { peer: group, id: own, media: aPoll({ closed: true }) });
  const scheduled = await sandbox.call(bob, 'messages.getScheduledHistory', {
    peer: peerOf(cleo),
    hash: '0',
  });
  const { id } = scheduled.messages[0];
  const send = () => sandbox.call(bob, 'messages.sendScheduledMessages', { peer: peerOf(cleo), id: [id] });
  for (const media of [...(await received(send)), ...(await received(() => forward()))]) {
    expect(media.poll.closed).toBe(true);
    expect(media.results).toMatchObject({
      min: true,
      totalVoters: 1,
      results: [{ voters: 1 }, { voters: 0 }],
    });
    expect(media.results.results[0].chosen).not.toBe(true);
  }
});

it('a vote in a forward of a poll that is deleted leaves nothing unread', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const { own, theirs } = await votedPoll(group, group);
  await sandbox.call(bob, 'messages.forwardMessages', {
    fromPeer: group,
    id: [theirs],
    randomId: [aRandomId()],
    toPeer: peerOf(cleo),
  });
  await sandbox.call(ada, 'messages.deleteMessages', { id: [own], revoke: true });
  const { id } = await sandbox.newest(cleo, peerOf(bob));
  const { updates } = await sandbox.watch(cleo, () => vote(cleo, peerOf(bob), id));
  expect(updates.map(({ accountId }) => accountId).sort()).toEqual([bob.id, cleo.id].sort());
  const peers = [{ _: 'inputDialogPeer', peer: group }];
  const { dialogs } = await sandbox.call(ada, 'messages.getPeerDialogs', { peers });
  expect(dialogs[0].unreadPollVotesCount).toBe(0);
});

it('votes in a forward of a poll are told there to its creator, who has deleted its own message', async () => {
  const { own, theirs } = await votedPoll(peerOf(bob), peerOf(ada));
  const group = await sandbox.aGroup(ada, bob, cleo);
  await sandbox.call(bob, 'messages.forwardMessages', {
    fromPeer: peerOf(ada),
    id: [theirs],
    randomId: [aRandomId()],
    toPeer: group,
  });
  const told = async () => {
    const { id } = await sandbox.newest(cleo, group);
    const { updates } = await sandbox.watch(cleo, () => vote(cleo, group, id));
    await sandbox.call(cleo, 'messages.sendVote', { peer: group, msgId: id, options: [] });
    return updates.filter(({ accountId }) => accountId === ada.id).map(({ update }) => update);
  };
  expect(await told()).toMatchObject([{ peer: { userId: bob.userId }, msgId: own }]);
  await sandbox.call(ada, 'messages.deleteMessages', { id: [own] });
  const { id: msgId } = await sandbox.newest(ada, group);
  expect(await told()).toMatchObject([
    { peer: { chatId: group.chatId }, msgId, results: { totalVoters: 2 } },
  ]);
});

it('a new member of a group gets its polls as they are', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const { own: id } = await votedPoll(group, group);
  await sandbox.call(ada, 'messages.editMessage', { peer: group, id, media: aPoll({ closed: true }) });
  const added = { chatId: group.chatId, userId: userOf(cleo), fwdLimit: 10 };
  const { updates } = await sandbox.watch(ada, () => sandbox.call(ada, 'messages.addChatUser', added));
  const shared = updates.filter(({ accountId, update }) => accountId === cleo.id && update.message?.media);
  expect(shared.map(({ update }) => update.message.media)).toMatchObject([
    { poll: { closed: true }, results: { totalVoters: 1, results: [{ voters: 1 }, { voters: 0 }] } },
  ]);
});

it('a poll that is deleted from the own chat leaves no unread votes behind', async () => {
  const own = { _: 'inputPeerSelf' };
  await sandbox.call(ada, 'messages.sendMedia', { peer: own, message: 'A poll', media: aPoll() });
  const { id } = await sandbox.newest(ada, own);
  const forwarded = { fromPeer: own, id: [id], randomId: [aRandomId()], toPeer: peerOf(bob) };
  await sandbox.call(ada, 'messages.forwardMessages', forwarded);
  await vote(bob, peerOf(ada), (await sandbox.newest(bob, peerOf(ada))).id);
  const unread = async () => {
    const peers = [{ _: 'inputDialogPeer', peer: own }];
    return (await sandbox.call(ada, 'messages.getPeerDialogs', { peers })).dialogs[0].unreadPollVotesCount;
  };
  expect(await unread()).toBe(1);
  await sandbox.call(ada, 'messages.deleteMessages', { id: [id] });
  expect(await unread()).toBe(0);
});

it('tells a creator without its own message of votes in a forward, also if that has the same id in a channel', async () => {
  const { peer } = await aChannel(sandbox, bob, { megagroup: true }, ada, cleo);
  await sandbox.call(ada, 'messages.sendMedia', { peer: peerOf(bob), message: '', media: aPoll() });
  const [own, theirs] = await Promise.all([
    sandbox.newest(ada, peerOf(bob)),
    sandbox.newest(bob, peerOf(ada)),
  ]);
  for (let { id } = await sandbox.newest(bob, peer); id < own.id - 1; id += 1)
    await sandbox.send(bob, peer, 'x');
  const forward = { fromPeer: peerOf(ada), id: [theirs.id], randomId: [aRandomId()], toPeer: peer };
  await sandbox.call(bob, 'messages.forwardMessages', forward);
  await sandbox.call(ada, 'messages.deleteMessages', { id: [own.id] });
  const { id: msgId } = await sandbox.newest(cleo, peer);
  expect(msgId).toBe(own.id);
  const vote = { peer, msgId, options: [Buffer.from('a').toString('base64')] };
  const { updates } = await sandbox.watch(cleo, () => sandbox.call(cleo, 'messages.sendVote', vote));
  expect(updates.filter(({ accountId }) => accountId === ada.id)).toHaveLength(1);
});
