import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});

afterAll(() => sandbox.close());

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
const schedule = async (peer: object, message: string, scheduleDate: number) =>
  (await sandbox.send(bob, peer, message, { scheduleDate })).updates[0].id as number;
const listed = async (peer: object): Promise<number[]> => {
  const { messages } = await sandbox.call(bob, 'messages.getScheduledHistory', { peer, hash: '0' });
  return messages.map(({ id }: { id: number }) => id);
};
const refuse = (peer: object, id: number[]) =>
  sandbox.refusal(bob, 'messages.sendScheduledMessages', { peer, id });

it('says why a scheduled message cannot be sent now, and keeps all that were to go with it', async () => {
  const group = await sandbox.aGroup(ada, bob);
  const date = inSeconds(3_600);
  const text = await schedule(group, 'A text', date);
  const answers = ['a', 'b'].map((name) => ({
    _: 'pollAnswer',
    text: { _: 'textWithEntities', text: name, entities: [] },
    option: Buffer.from(name).toString('base64'),
  }));
  const question = { _: 'textWithEntities', text: 'Which?', entities: [] };
  const media = { _: 'inputMediaPoll', poll: { _: 'poll', id: '0', hash: '0', question, answers } };
  const params = { peer: group, message: '', media, scheduleDate: date };
  const poll = (await sandbox.call(bob, 'messages.sendMedia', params)).updates[0].id;
  const bannedRights = { _: 'chatBannedRights', sendPolls: true, untilDate: 0 };
  await sandbox.call(ada, 'messages.editChatDefaultBannedRights', { peer: group, bannedRights });
  expect(await refuse(group, [text, poll])).toBe('CHAT_SEND_POLL_FORBIDDEN');
  expect(await listed(group)).toEqual([poll, text]);
  await sandbox.call(bob, 'messages.sendScheduledMessages', { peer: group, id: [text] });

  const later = await schedule(peerOf(ada), 'Later', date);
  await sandbox.call(ada, 'contacts.block', { id: peerOf(bob) });
  expect(await refuse(peerOf(ada), [later])).toBe('USER_IS_BLOCKED');
  expect(await listed(peerOf(ada))).toEqual([later]);
});

it('lists the messages of one second in the order in which they were scheduled, the last first', async () => {
  const peer = { _: 'inputPeerSelf' };
  for (const id of await listed(peer))
    await sandbox.call(bob, 'messages.deleteScheduledMessages', { peer, id: [id] });
  const date = inSeconds(3_600);
  const ids: number[] = [];
  for (let n = 0; n < 12; n += 1) ids.unshift(await schedule(peer, `Note ${n}`, date));
  expect(await listed(peer)).toEqual(ids);
});

it('shows a member who may no longer write what it has scheduled', async () => {
  const muting = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const silent = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const group = await sandbox.aGroup(ada, bob);
  const places = [muting.peer, silent.peer, group];
  const ids: number[] = [];
  for (const peer of places) ids.push(await schedule(peer, 'Later', inSeconds(3_600)));
  const bannedRights = { _: 'chatBannedRights', sendMessages: true, untilDate: 0 };
  const ban = { channel: muting.channel, participant: peerOf(bob), bannedRights };
  await sandbox.call(ada, 'channels.editBanned', ban);
  for (const peer of [silent.peer, group])
    await sandbox.call(ada, 'messages.editChatDefaultBannedRights', { peer, bannedRights });
  for (const [i, peer] of places.entries()) {
    const id = [ids[i] as number];
    expect(await listed(peer)).toEqual(id);
    expect((await sandbox.call(bob, 'messages.getScheduledMessages', { peer, id })).messages).toMatchObject([
      { message: 'Later' },
    ]);
  }
  const { peer } = await aChannel(sandbox, ada, { broadcast: true }, bob);
  for (const [method, more] of [
    ['messages.getScheduledHistory', { hash: '0' }],
    ['messages.getScheduledMessages', { id: [1] }],
  ] as const)
    expect(await sandbox.refusal(bob, method, { peer, ...more })).toBe('CHAT_ADMIN_REQUIRED');
});

it('is announced with the user, group or channel it is for', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: bob.workspaceId });
  const group = await sandbox.aGroup(bob, ada);
  const channel = await aChannel(sandbox, bob, { broadcast: true });
  const flags = async () => {
    const full = [
      await sandbox.call(bob, 'users.getFullUser', { id: userOf(cleo) }),
      await sandbox.call(bob, 'messages.getFullChat', { chatId: group.chatId }),
      await sandbox.call(bob, 'channels.getFullChannel', { channel: channel.channel }),
    ];
    return full.map(({ fullUser, fullChat }) => (fullUser ?? fullChat).hasScheduled);
  };
  expect(await flags()).toEqual([false, false, false]);
  for (const peer of [peerOf(cleo), group, channel.peer]) await schedule(peer, 'Later', inSeconds(3_600));
  expect(await flags()).toEqual([true, true, true]);
});
