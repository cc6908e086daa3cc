import { afterAll, beforeAll, expect, it } from 'vitest';
import { aPoll, optionOf, plainText } from '../../../support/sandbox/a-poll.ts';
import { peerOf, Sandbox, type SandboxAccount, WHOLE } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let eve: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
});

afterAll(() => sandbox.close());

/** Ada answers, in her chat with Eve, the newest message of another one; gives what Eve sees. */
async function answered(source: object) {
  const { id: replyToMsgId } = await sandbox.newest(ada, source);
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId, replyToPeerId: source };
  await sandbox.send(ada, peerOf(eve), 'Look', { replyTo });
  const { messages, users } = await sandbox.call(eve, 'messages.getHistory', {
    peer: peerOf(ada),
    ...WHOLE,
    limit: 1,
  });
  expect(messages[0]).toMatchObject({ message: 'Look', replyTo: { replyFrom: {} } });
  return { ...messages[0].replyTo, users };
}

it('a file of another chat is shown with the answer to it', async () => {
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.sendFile(bob, group, 'voice');
  const { media } = await sandbox.newest(ada, group);
  expect(media).toMatchObject({ _: 'messageMediaDocument', voice: true });
  expect((await answered(group)).replyMedia).toEqual(media);
  const channel = await sandbox.call(ada, 'channels.createChannel', { title: 'News', about: '' });
  const peer = { _: 'inputPeerChannel', channelId: channel.chats[0].id, accessHash: '0' };
  await sandbox.send(ada, peer, 'Only a text');
  expect((await answered(peer)).replyMedia).toBeUndefined();
});

it('a poll of another chat is shown with its votes, but not with what the one who answers has chosen', async () => {
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.call(ada, 'messages.sendMedia', {
    peer: group,
    message: '',
    media: aPoll({ publicVoters: true }),
  });
  const [own, received] = [await sandbox.newest(ada, group), await sandbox.newest(bob, group)];
  for (const [account, msgId] of [
    [ada, own.id],
    [bob, received.id],
  ] as const)
    await sandbox.call(account, 'messages.sendVote', { peer: group, msgId, options: [optionOf('a')] });
  const { replyMedia: open } = await answered(group);
  expect(open).toMatchObject({ poll: { creator: false }, results: { min: true, totalVoters: 2 } });
  expect(open.results.results).toBeUndefined();
  const close = { peer: group, id: own.id, message: '', media: aPoll({ publicVoters: true, closed: true }) };
  await sandbox.call(ada, 'messages.editMessage', close);
  const { replyMedia, users } = await answered(group);
  const [{ voters, chosen, recentVoters }] = replyMedia.results.results;
  expect([voters, chosen, recentVoters.length]).toEqual([2, false, 2]);
  expect(users.map(({ id }: { id: number }) => id)).toContain(bob.userId);
});

it('what destroys itself is not shown with the answer to it', async () => {
  const media = {
    _: 'inputMediaUploadedDocument',
    file: await sandbox.upload(bob, Buffer.from('once')),
    mimeType: 'video/mp4',
    attributes: [{ _: 'documentAttributeVideo', duration: 1, w: 1, h: 1 }],
    ttlSeconds: 5,
  };
  await sandbox.call(bob, 'messages.sendMedia', { peer: peerOf(ada), media, message: '' });
  expect((await sandbox.newest(ada, peerOf(bob))).media.ttlSeconds).toBe(5);
  expect((await answered(peerOf(bob))).replyMedia).toBeUndefined();
});

it('a medium is left out that is so long that no short answer would fit a full group', async () => {
  const answers = Array.from({ length: 10 }, (_, i) => ({
    _: 'pollAnswer',
    text: plainText('"'.repeat(100)),
    option: optionOf(`${i}`.repeat(90)),
  }));
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.call(ada, 'messages.sendMedia', { peer: group, message: '', media: aPoll({ answers }) });
  expect((await answered(group)).replyMedia).toBeUndefined();
});
