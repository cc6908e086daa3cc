import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aRandomId,
  channelOf,
  peerOf,
  Sandbox,
  type SandboxAccount,
} from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const SELF = { _: 'inputPeerSelf' };
const VOICE = { _: 'documentAttributeAudio', voice: true, duration: 1 };

async function uploaded(attributes: object[] = []) {
  const file = await sandbox.upload(ada, Buffer.from('Some bytes'));
  return { _: 'inputMediaUploadedDocument', file, mimeType: 'text/plain', attributes };
}

/** An uploaded document as it is sent. */
async function aDocument(attributes: object[] = []) {
  const media = await uploaded(attributes);
  const { document } = await sandbox.call(ada, 'messages.uploadMedia', { peer: SELF, media });
  const { id, accessHash, fileReference } = document;
  return { _: 'inputMediaDocument', id: { _: 'inputDocument', id, accessHash, fileReference } };
}

const item = (media: object, message = '', more: object = {}) => ({
  _: 'inputSingleMedia',
  media,
  message,
  randomId: aRandomId(),
  ...more,
});

const sendAlbum = (multiMedia: object[], peer: object = peerOf(bob), more: object = {}) =>
  sandbox.call(ada, 'messages.sendMultiMedia', { peer, multiMedia, ...more });
const refuseAlbum = (multiMedia: object[], more: object = {}) =>
  sandbox.refusal(ada, 'messages.sendMultiMedia', { peer: peerOf(bob), multiMedia, ...more });

it('uploads a medium that is sent later, and counts on nobody to see it before', async () => {
  const { result, updates } = await sandbox.watch(ada, async () =>
    sandbox.call(ada, 'messages.uploadMedia', { peer: peerOf(bob), media: await uploaded([VOICE]) }),
  );
  expect(result).toMatchObject({ _: 'messageMediaDocument', voice: true, document: { size: 10 } });
  expect(updates).toEqual([]);
  const { openChannelId } = await sandbox.seeded(ada);
  const refuse = async (peer: object, media: object) =>
    sandbox.refusal(ada, 'messages.uploadMedia', { peer, media });
  expect(await refuse(channelOf(openChannelId), await uploaded())).toBe('CHAT_WRITE_FORBIDDEN');
  expect(await refuse(SELF, { _: 'inputMediaGeoPoint', geoPoint: { _: 'inputGeoPointEmpty' } })).toBe(
    'MEDIA_INVALID',
  );
});

it('sends an album as messages of one group, each with a caption and a random id of its own', async () => {
  const items = [item(await aDocument(), ' First of @ada_x '), item(await aDocument([VOICE]), 'Second')];
  const { result, updates } = await sandbox.watch(ada, () => sendAlbum(items));
  const [first, second] = result.updates.filter(({ _ }: { _: string }) => _ === 'updateNewMessage');
  expect(result.updates.slice(0, 2)).toEqual([
    { _: 'updateMessageID', id: first.message.id, randomId: items[0]?.randomId },
    { _: 'updateMessageID', id: second.message.id, randomId: items[1]?.randomId },
  ]);
  expect(first.message).toMatchObject({
    message: 'First of @ada_x',
    entities: [{ _: 'messageEntityMention' }],
  });
  const received = await sandbox.history(bob, peerOf(ada), { limit: 2 });
  expect(received).toMatchObject([
    { message: 'Second', mediaUnread: true },
    { message: 'First of @ada_x', mediaUnread: false },
  ]);
  const groups = [...received, first.message, second.message].map(({ groupedId }) => groupedId);
  expect(new Set(groups).size).toBe(1);
  expect(groups[0]).toMatch(/^\d+$/);
  expect(updates.filter(({ accountId }) => accountId === bob.id)).toHaveLength(2);
  expect((await sandbox.call(bob, 'messages.getPeerDialogs', dialogsOf(ada))).dialogs).toMatchObject([
    { unreadCount: 2 },
  ]);
});

it('is an album of its own where it was forwarded, but for a single message of it', async () => {
  await sendAlbum([item(await aDocument()), item(await aDocument())]);
  await sandbox.send(ada, peerOf(bob), 'Alone');
  const [alone, second, first] = await sandbox.history(ada, peerOf(bob), { limit: 3 });
  const forward = async (...messages: { id: number }[]) => {
    const id = messages.map((message) => message.id);
    const randomId = id.map(aRandomId);
    const params = { fromPeer: peerOf(bob), id, toPeer: SELF, randomId };
    await sandbox.call(ada, 'messages.forwardMessages', params);
    const copies = await sandbox.history(ada, SELF, { limit: id.length });
    return copies.reverse().map(({ groupedId }) => groupedId);
  };
  const [one, other, none] = await forward(first, second, alone);
  expect(one).toMatch(/^\d+$/);
  expect(one).not.toBe(first.groupedId);
  expect([other, none]).toEqual([one, undefined]);
  expect(await forward(first)).toEqual([undefined]);
});

const dialogsOf = (account: SandboxAccount) => ({ peers: [{ _: 'inputDialogPeer', peer: peerOf(account) }] });

it('refuses an album that cannot be sent, and sends nothing of it', async () => {
  const before = await sandbox.newest(bob, peerOf(ada));
  const document = await aDocument();
  const one = item(document);
  expect(await refuseAlbum([])).toBe('MEDIA_EMPTY');
  expect(await refuseAlbum(Array.from({ length: 11 }, () => item(document)))).toBe('MULTI_MEDIA_TOO_LONG');
  expect(await refuseAlbum([one, item(await uploaded())])).toBe('MEDIA_INVALID');
  expect(await refuseAlbum([one, item(document, 'x'.repeat(1_025))])).toBe('MEDIA_CAPTION_TOO_LONG');
  expect(await refuseAlbum([one, one])).toBe('RANDOM_ID_DUPLICATE');
  const stale = { ...document.id, fileReference: Buffer.alloc(16).toString('base64') };
  expect(await refuseAlbum([one, item({ ...document, id: stale })])).toBe('FILE_REFERENCE_1_EXPIRED');
  // How long a caption is counts first: it costs nothing to see.
  const staleAndLong = item({ ...document, id: stale }, 'x'.repeat(1_025));
  expect(await refuseAlbum([one, staleAndLong])).toBe('MEDIA_CAPTION_TOO_LONG');
  expect(await refuseAlbum([one], { sendAs: peerOf(bob) })).toBe('SEND_AS_PEER_INVALID');
  expect(await sandbox.newest(bob, peerOf(ada))).toEqual(before);
});

it('is done whole or not at all in a large group', async () => {
  const members = await Promise.all(
    Array.from({ length: 26 }, (_, n) => sandbox.anAccount(`M${n}`, { workspaceId: ada.workspaceId })),
  );
  const group = await sandbox.aGroup(ada, ...members);
  const document = await aDocument();
  const items = (count: number) => Array.from({ length: count }, () => item(document));
  expect(await refuseAlbum(items(10), { peer: group })).toBe('MULTI_MEDIA_TOO_LONG');
  await sendAlbum(items(5), group);
  expect(await sandbox.history(members[0] as SandboxAccount, group, {})).toHaveLength(6);
});

it('is refused if its captions do not fit one commit', async () => {
  const members = await Promise.all(
    Array.from({ length: 8 }, (_, n) => sandbox.anAccount(`R${n}`, { workspaceId: ada.workspaceId })),
  );
  const peer = await sandbox.aGroup(ada, ...members);
  const document = await aDocument();
  const entities = Array.from({ length: 25 }, (_, offset) => ({
    ...{ _: 'messageEntityTextUrl', offset, length: 1 },
    url: `https://example.com/${'x'.repeat(900)}`,
  }));
  const items = Array.from({ length: 10 }, () => item(document, 'x'.repeat(25), { entities }));
  expect(await refuseAlbum(items, { peer })).toBe('MULTI_MEDIA_TOO_LONG');
});
