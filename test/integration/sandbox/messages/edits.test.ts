import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { aRandomId, peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const VOICE = {
  mimeType: 'audio/ogg',
  attributes: [{ _: 'documentAttributeAudio', voice: true, duration: 4 }],
};
const FILE = { mimeType: 'text/plain', attributes: [] };

/** Gives a message of Ada another medium. */
async function replaceMedium(peer: object, id: number, kind: typeof VOICE | typeof FILE) {
  const file = await sandbox.upload(ada, Buffer.from('Another file'));
  const media = { _: 'inputMediaUploadedDocument', file, ...kind };
  return sandbox.call(ada, 'messages.editMessage', { peer, id, media });
}

it('a new voice message in place of one that was heard is unheard, and a file is not', async () => {
  const { peer, channel } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  for (const [own, theirs] of [
    [peerOf(bob), peerOf(ada)],
    [peer, peer],
  ] as const) {
    await sandbox.sendFile(ada, own, 'voice');
    const [{ id }, received] = [await sandbox.newest(ada, own), await sandbox.newest(bob, theirs)];
    const isUnheard = async () => (await sandbox.newest(bob, theirs)).mediaUnread;
    const hear = () =>
      theirs === peer
        ? sandbox.call(bob, 'channels.readMessageContents', { channel, id: [received.id] })
        : sandbox.call(bob, 'messages.readMessageContents', { id: [received.id] });
    await replaceMedium(own, id, FILE);
    expect(await isUnheard()).toBe(false);
    await replaceMedium(own, id, VOICE);
    expect(await isUnheard()).toBe(true);
    await hear();
    expect(await isUnheard()).toBe(false);
    await replaceMedium(own, id, VOICE);
    expect((await sandbox.updatesOf(bob)).at(-1).message).toMatchObject({ mediaUnread: true });
    expect(await isUnheard()).toBe(true);
    const caption = { peer: own, id, message: 'Listen' };
    await hear();
    await sandbox.call(ada, 'messages.editMessage', caption);
    expect(await isUnheard()).toBe(false);
  }
});

/** Makes the copy of a message in a box three days older. */
async function age({ workspaceId }: SandboxAccount, box: string, id: number): Promise<void> {
  const key = stateKey(workspaceId, `messages:${box}`);
  const stored = JSON.parse((await sandbox.redis.hget(key, String(id))) ?? '');
  stored.message.date -= 3 * 24 * 60 * 60;
  await sandbox.redis.hset(key, String(id), JSON.stringify(stored));
}

it('a message is edited for 48 hours, but by bots, and by who may pin messages; a poll is closed at any time', async () => {
  const shop = await sandbox.anAccount('Shop', { workspaceId: ada.workspaceId, bot: true });
  const { id: groupId, peer: group } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const edit = async (account: SandboxAccount, peer: object, box: string, media?: object) => {
    const params = { peer, id: (await sandbox.newest(account, peer)).id, message: 'Late', ...media };
    await age(account, box, params.id);
    const { status, body } = await sandbox.answer(account, 'messages.editMessage', params);
    return status === 200 ? 'edited' : body.code;
  };
  for (const [account, peer, box, outcome] of [
    [ada, peerOf(bob), `u${ada.userId}`, 'MESSAGE_EDIT_TIME_EXPIRED'],
    [bob, group, `c${groupId}`, 'MESSAGE_EDIT_TIME_EXPIRED'],
    [ada, group, `c${groupId}`, 'edited'],
    [ada, { _: 'inputPeerSelf' }, `u${ada.userId}`, 'edited'],
    [shop, peerOf(bob), `u${shop.userId}`, 'edited'],
  ] as const) {
    await sandbox.send(account, peer, 'In time');
    expect([box, await edit(account, peer, box)]).toEqual([box, outcome]);
  }
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = [{ _: 'pollAnswer', text: text('Yes'), option: 'MA==' }];
  const poll = { _: 'poll', id: '0', hash: '0', question: text('Well?'), answers };
  const media = { _: 'inputMediaPoll', poll };
  await sandbox.call(ada, 'messages.sendMedia', {
    peer: peerOf(bob),
    media,
    message: '',
    randomId: aRandomId(),
  });
  const closed = { message: undefined, media: { ...media, poll: { ...poll, closed: true } } };
  expect(await edit(ada, peerOf(bob), `u${ada.userId}`, closed)).toBe('edited');
});

it('a keyboard that is not given again goes with an edit, and can be removed alone', async () => {
  const shop = await sandbox.anAccount('Shop', { workspaceId: ada.workspaceId, bot: true });
  const button = { _: 'keyboardButtonCallback', text: 'Yes', data: 'MQ==' };
  const replyMarkup = { _: 'replyInlineMarkup', rows: [{ _: 'keyboardButtonRow', buttons: [button] }] };
  const { id } = await sandbox.send(shop, peerOf(ada), 'Really?', { replyMarkup });
  const edit = async (params: object) => {
    await sandbox.call(shop, 'messages.editMessage', { peer: peerOf(ada), id, ...params });
    const { message, replyMarkup: shown } = await sandbox.newest(ada, peerOf(shop));
    return [message, shown?._];
  };
  expect(await edit({ message: 'Sure?', replyMarkup })).toEqual(['Sure?', 'replyInlineMarkup']);
  expect(await edit({})).toEqual(['Sure?', undefined]);
  expect(await edit({ replyMarkup })).toEqual(['Sure?', 'replyInlineMarkup']);
  expect(await edit({ message: 'Done' })).toEqual(['Done', undefined]);
});

it('a text is not edited into a medium that may not be sent', async () => {
  const { peer, channel } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const group = await sandbox.aGroup(ada, bob);
  await sandbox.call(ada, 'messages.editChatDefaultBannedRights', {
    peer: group,
    bannedRights: { _: 'chatBannedRights', sendDocs: true, untilDate: 0 },
  });
  await sandbox.call(ada, 'channels.editBanned', {
    channel,
    participant: peerOf(bob),
    bannedRights: { _: 'chatBannedRights', sendDocs: true, untilDate: 0 },
  });
  const file = await sandbox.upload(bob, Buffer.from('A file'));
  const media = { _: 'inputMediaUploadedDocument', file, ...FILE };
  for (const where of [peer, group]) {
    await sandbox.send(bob, where, 'Only text');
    const edit = { peer: where, id: (await sandbox.newest(bob, where)).id };
    const refused = await sandbox.refusal(bob, 'messages.editMessage', { ...edit, media });
    expect(refused).toBe('CHAT_SEND_DOCS_FORBIDDEN');
    await sandbox.call(bob, 'messages.editMessage', { ...edit, message: 'Still text' });
  }
});

it('the answer to an edit has the users beside it that the message names', async () => {
  const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
  const { peer } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  const group = await sandbox.aGroup(ada, bob, eve);
  for (const where of [peer, group]) {
    await sandbox.send(ada, where, 'Hello');
    const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];
    const { id: msgId } = await sandbox.newest(bob, where);
    await sandbox.call(bob, 'messages.sendReaction', { peer: where, msgId, reaction });
    const { id } = await sandbox.newest(ada, where);
    const name = { _: 'inputMessageEntityMentionName', offset: 0, length: 3, userId: userOf(eve) };
    const edit = { peer: where, id, message: 'Eve, hello', entities: [name] };
    const { users, chats } = await sandbox.call(ada, 'messages.editMessage', edit);
    const ids = users.map((user: { id: number }) => user.id);
    expect(new Set(ids)).toEqual(new Set([ada.userId, bob.userId, eve.userId]));
    expect(chats).toHaveLength(1);
  }
});
