import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRandomId, peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const EFFECT = '5104841245755180586';
const SELF = { _: 'inputPeerSelf' };

async function aDocument() {
  const file = await sandbox.upload(ada, Buffer.from('Some bytes'));
  return { _: 'inputMediaUploadedDocument', file, mimeType: 'text/plain', attributes: [] };
}

it('shows the effect of a message in a private chat, and nowhere else', async () => {
  const text = { message: 'Hooray', effect: EFFECT };
  const { updates } = await sandbox.call(ada, 'messages.sendMessage', { peer: peerOf(bob), ...text });
  const sent = updates.find(({ message }: { message?: object }) => message).message;
  expect(sent).toMatchObject({ out: true, ...text });
  expect(await sandbox.newest(bob, peerOf(ada))).toMatchObject(text);
  const media = await aDocument();
  await sandbox.call(ada, 'messages.sendMedia', { peer: peerOf(bob), media, ...text });
  expect(await sandbox.newest(bob, peerOf(ada))).toMatchObject(text);
  const forward = { fromPeer: peerOf(bob), id: [sent.id], randomId: [aRandomId()], toPeer: peerOf(bob) };
  await sandbox.call(ada, 'messages.forwardMessages', { ...forward, effect: EFFECT });
  expect(await sandbox.newest(bob, peerOf(ada))).toMatchObject({ effect: EFFECT, fwdFrom: {} });
  const group = await sandbox.aGroup(ada, bob);
  for (const peer of [group, SELF]) {
    await sandbox.call(ada, 'messages.sendMessage', { peer, ...text });
    expect((await sandbox.newest(ada, peer)).effect).toBeUndefined();
  }
});

it('shows a caption above its medium, also when it is forwarded, until it is edited otherwise', async () => {
  const media = await aDocument();
  await sandbox.call(ada, 'messages.sendMedia', {
    peer: peerOf(bob),
    media,
    message: 'Above',
    invertMedia: true,
  });
  expect(await sandbox.newest(bob, peerOf(ada))).toMatchObject({ message: 'Above', invertMedia: true });
  const { id, media: shown } = await sandbox.newest(ada, peerOf(bob));
  const forward = { fromPeer: peerOf(bob), id: [id], randomId: [aRandomId()], toPeer: SELF };
  await sandbox.call(ada, 'messages.forwardMessages', forward);
  expect((await sandbox.newest(ada, SELF)).invertMedia).toBe(true);
  const edit = { peer: peerOf(bob), id, message: 'Below' };
  await sandbox.call(ada, 'messages.editMessage', edit);
  expect((await sandbox.newest(bob, peerOf(ada))).invertMedia).not.toBe(true);
  await sandbox.call(ada, 'messages.editMessage', { ...edit, invertMedia: true });
  expect(await sandbox.newest(bob, peerOf(ada))).toMatchObject({ message: 'Below', invertMedia: true });
  const { id: documentId, accessHash, fileReference } = shown.document;
  const one = {
    _: 'inputMediaDocument',
    id: { _: 'inputDocument', id: documentId, accessHash, fileReference },
  };
  const multiMedia = [0, 1].map(() => ({
    _: 'inputSingleMedia',
    media: one,
    message: '',
    randomId: aRandomId(),
  }));
  await sandbox.call(ada, 'messages.sendMultiMedia', {
    peer: peerOf(bob),
    multiMedia,
    invertMedia: true,
    effect: EFFECT,
  });
  const album = (await sandbox.history(bob, peerOf(ada))).slice(0, 2).reverse();
  expect(album).toMatchObject([{ invertMedia: true, effect: EFFECT }, { invertMedia: true }]);
  expect(album[1].effect).toBeUndefined();
});

describe('what is not sent as asked for is refused', () => {
  const quickReplyShortcut = { _: 'inputQuickReplyShortcut', shortcut: 'hello' };
  const repeated = { scheduleDate: Math.floor(Date.now() / 1_000) + 3_600, scheduleRepeatPeriod: 86_400 };

  it.each([
    ['PREMIUM_ACCOUNT_REQUIRED', { quickReplyShortcut }],
    ['PREMIUM_ACCOUNT_REQUIRED', repeated],
    ['SUGGESTED_POST_PEER_INVALID', { suggestedPost: { _: 'suggestedPost' } }],
  ])('%s', async (code, more) => {
    const before = await sandbox.newest(ada, SELF);
    const text = { peer: SELF, message: 'Text', ...more };
    expect(await sandbox.refusal(ada, 'messages.sendMessage', text)).toBe(code);
    expect(await sandbox.refusal(ada, 'messages.sendMedia', { ...text, media: await aDocument() })).toBe(
      code,
    );
    const forward = { fromPeer: SELF, id: [before.id], randomId: [aRandomId()], toPeer: SELF };
    expect(await sandbox.refusal(ada, 'messages.forwardMessages', { ...forward, ...more })).toBe(code);
    expect(await sandbox.newest(ada, SELF)).toEqual(before);
  });
});
