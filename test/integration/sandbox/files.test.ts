import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRandomId, peerOf, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const KIB = 1_024;
const BYTES = randomBytes(10 * KIB + 7);

const uploaded = (file: object, more: object = {}) => ({
  _: 'inputMediaUploadedDocument',
  file,
  mimeType: 'application/pdf',
  attributes: [],
  ...more,
});
const sendMedia = (media: object, more: object = {}) =>
  sandbox.call(ada, 'messages.sendMedia', {
    peer: peerOf(bob),
    media,
    message: '',
    randomId: aRandomId(),
    ...more,
  });
const refuseMedia = (media: object, more: object = {}) =>
  sandbox.refusal(ada, 'messages.sendMedia', {
    peer: peerOf(bob),
    media,
    message: '',
    randomId: aRandomId(),
    ...more,
  });
const received = async () => (await sandbox.newest(bob, peerOf(ada))).media;

function locationOf({
  id,
  accessHash,
  fileReference,
}: {
  id: string;
  accessHash: string;
  fileReference: string;
}) {
  return {
    _: 'inputDocumentFileLocation',
    id,
    accessHash,
    fileReference,
    thumbSize: '',
  };
}

describe('a file', () => {
  it.each([KIB, 4 * KIB, 512 * KIB])('comes out as it went in, in parts of %i bytes', async (partSize) => {
    await sendMedia(uploaded(await sandbox.upload(ada, BYTES, partSize)));
    const { document } = await received();
    expect(document).toMatchObject({
      size: BYTES.length,
      mimeType: 'application/pdf',
    });
    const pieces: Buffer[] = [];
    for (let offset = 0; offset < BYTES.length; offset += 4 * KIB) {
      const params = {
        location: locationOf(document),
        offset,
        limit: 4 * KIB,
      };
      const { bytes } = await sandbox.call(bob, 'upload.getFile', params);
      pieces.push(Buffer.from(bytes, 'base64'));
    }
    expect(Buffer.concat(pieces).equals(BYTES)).toBe(true);
    const whole = {
      location: locationOf(document),
      offset: 0,
      limit: KIB * KIB,
    };
    const { type, bytes } = await sandbox.call(bob, 'upload.getFile', whole);
    expect(type).toEqual({ _: 'storage.filePdf' });
    expect(Buffer.from(bytes, 'base64').equals(BYTES)).toBe(true);
    expect(
      (
        await sandbox.call(bob, 'upload.getFile', {
          ...whole,
          offset: KIB * KIB,
        })
      ).bytes,
    ).toBe('');
  });

  it('can be sent again by its id, and by uploading it once', async () => {
    const file = await sandbox.upload(ada, BYTES);
    await sendMedia(uploaded(file));
    const { document } = await received();
    await sendMedia(uploaded(file));
    expect((await received()).document.id).not.toBe(document.id);
    const { id, accessHash, fileReference } = document;
    await sendMedia({
      _: 'inputMediaDocument',
      id: { _: 'inputDocument', id, accessHash, fileReference },
    });
    expect((await received()).document).toEqual(document);
  });

  it('cannot change once it is sent', async () => {
    const file = await sandbox.upload(ada, BYTES);
    await sendMedia(uploaded(file));
    const part = {
      fileId: file.id,
      filePart: 0,
      bytes: Buffer.alloc(KIB).toString('base64'),
    };
    expect(await sandbox.refusal(ada, 'upload.saveFilePart', part)).toBe('FILE_PART_INVALID');
    const same = { ...part, bytes: BYTES.subarray(0, KIB).toString('base64') };
    expect(await sandbox.call(ada, 'upload.saveFilePart', same)).toEqual({
      _: 'boolTrue',
    });
  });
});

describe('upload.saveFilePart', () => {
  it.each([
    ['FILE_PART_EMPTY', { bytes: '' }],
    ['FILE_PART_INVALID', { filePart: -1 }],
    ['FILE_PART_INVALID', { filePart: 4_000 }],
    ['FILE_PART_TOO_BIG', { bytes: Buffer.alloc(512 * KIB + 1).toString('base64') }],
  ])('refuses with %s', async (error, params) => {
    const part = { fileId: aRandomId(), filePart: 0, bytes: 'AAAA', ...params };
    expect(await sandbox.refusal(ada, 'upload.saveFilePart', part)).toBe(error);
  });
});

describe('upload.saveBigFilePart', () => {
  const save = (part: object) => ({ fileId: aRandomId(), filePart: 0, fileTotalParts: 3, ...part });
  const bytes = (size: number) => Buffer.alloc(size, 'x').toString('base64');

  it('keeps a large file, whose number of parts may be told with the last', async () => {
    const fileId = aRandomId();
    const parts = [bytes(2 * KIB), bytes(2 * KIB), bytes(7)];
    for (const [filePart, part] of parts.entries()) {
      const fileTotalParts = filePart < 2 ? -1 : 3;
      await sandbox.call(
        ada,
        'upload.saveBigFilePart',
        save({ fileId, filePart, fileTotalParts, bytes: part }),
      );
    }
    await sendMedia(uploaded({ _: 'inputFileBig', id: fileId, parts: 3, name: 'big.pdf' }));
    expect((await received()).document.size).toBe(4 * KIB + 7);
  });

  it.each([
    ['FILE_PART_EMPTY', { bytes: '' }],
    ['FILE_PART_INVALID', { filePart: 3, bytes: bytes(KIB) }],
    ['FILE_PART_INVALID', { filePart: -1, bytes: bytes(KIB) }],
    ['FILE_PARTS_INVALID', { fileTotalParts: 4_001, bytes: bytes(KIB) }],
    ['FILE_PARTS_INVALID', { fileTotalParts: 0, bytes: bytes(KIB) }],
    ['FILE_PART_SIZE_INVALID', { bytes: bytes(KIB + 1) }],
    ['FILE_PART_SIZE_INVALID', { bytes: bytes(3 * KIB) }],
    ['FILE_PART_TOO_BIG', { bytes: bytes(513 * KIB) }],
  ])('refuses with %s', async (error, part) => {
    expect(await sandbox.refusal(ada, 'upload.saveBigFilePart', save(part))).toBe(error);
  });

  it('refuses parts of another size than the first', async () => {
    const part = save({ bytes: bytes(KIB) });
    await sandbox.call(ada, 'upload.saveBigFilePart', part);
    const other = { ...part, filePart: 1, bytes: bytes(2 * KIB) };
    expect(await sandbox.refusal(ada, 'upload.saveBigFilePart', other)).toBe('FILE_PART_SIZE_CHANGED');
  });
});

describe('upload.getFile', () => {
  it.each([
    ['OFFSET_INVALID', { offset: 1 }],
    ['OFFSET_INVALID', { offset: -4 * KIB }],
    ['OFFSET_INVALID', { offset: KIB }],
    ['LIMIT_INVALID', { limit: 0 }],
    ['LIMIT_INVALID', { limit: -4 * KIB }],
    ['LIMIT_INVALID', { limit: 12 * KIB }],
    ['LIMIT_INVALID', { limit: 2 * KIB * KIB }],
    ['LIMIT_INVALID', { offset: 1_020 * KIB, limit: 8 * KIB }],
    ['LIMIT_INVALID', { limit: 100, precise: true }],
    ['FILE_ID_INVALID', { location: locationOf({ id: '1', accessHash: '0', fileReference: '' }) }],
    ['LOCATION_INVALID', { location: { _: 'inputTakeoutFileLocation' } }],
  ])('refuses with %s', async (error, params) => {
    await sendMedia(uploaded(await sandbox.upload(ada, BYTES)));
    const { document } = await received();
    const asked = {
      location: locationOf(document),
      offset: 0,
      limit: 4 * KIB,
      ...params,
    };
    expect(await sandbox.refusal(bob, 'upload.getFile', asked)).toBe(error);
  });

  it('gives nothing of the file for a thumbnail, which it does not have', async () => {
    await sendMedia(uploaded(await sandbox.upload(ada, BYTES)));
    const { document } = await received();
    const location = { ...locationOf(document), thumbSize: 'm' };
    const asked = { location, offset: 0, limit: 4 * KIB };
    expect(await sandbox.refusal(bob, 'upload.getFile', asked)).toBe('LOCATION_INVALID');
  });

  it('takes finer offsets when asked to be precise', async () => {
    await sendMedia(uploaded(await sandbox.upload(ada, BYTES)));
    const { document } = await received();
    const asked = {
      location: locationOf(document),
      offset: 3 * KIB,
      limit: 3 * KIB,
      precise: true,
    };
    const { bytes } = await sandbox.call(bob, 'upload.getFile', asked);
    expect(Buffer.from(bytes, 'base64').equals(BYTES.subarray(3 * KIB, 6 * KIB))).toBe(true);
  });
});

describe('messages.sendMedia', () => {
  it('tells voice messages, videos, round videos and documents apart', async () => {
    const flags = async (kind: 'voice' | 'video' | 'round' | 'document') => {
      await sandbox.sendFile(ada, peerOf(bob), kind, { message: `A ${kind}` });
      const { media, message, mediaUnread } = await sandbox.newest(bob, peerOf(ada));
      return {
        voice: media.voice,
        video: media.video,
        round: media.round,
        message,
        mediaUnread,
      };
    };
    const none = {
      voice: false,
      video: false,
      round: false,
      mediaUnread: true,
    };
    expect(await flags('voice')).toEqual({
      ...none,
      voice: true,
      message: 'A voice',
    });
    expect(await flags('video')).toEqual({
      ...none,
      mediaUnread: false,
      video: true,
      message: 'A video',
    });
    expect(await flags('round')).toEqual({
      ...none,
      video: true,
      round: true,
      message: 'A round',
    });
    expect(await flags('document')).toEqual({
      ...none,
      mediaUnread: false,
      message: 'A document',
    });
  });

  it('answers with the message, to a user too', async () => {
    const randomId = aRandomId();
    const sent = await sandbox.sendFile(ada, peerOf(bob), 'document', { randomId });
    const { id, media } = await sandbox.newest(ada, peerOf(bob));
    expect(sent).toMatchObject({
      _: 'updates',
      updates: [
        { _: 'updateMessageID', id, randomId },
        { _: 'updateNewMessage', message: { id, out: true, media } },
      ],
      users: [{ id: bob.userId }, { id: ada.userId, self: true }],
    });
  });

  it('checks what it was told of the file', async () => {
    const file = await sandbox.upload(ada, BYTES);
    const md5Checksum = createHash('md5').update(BYTES).digest('hex');
    await sendMedia(uploaded({ ...file, md5Checksum }));
    expect(await refuseMedia(uploaded({ ...file, md5Checksum: 'no'.repeat(16) }))).toBe(
      'MD5_CHECKSUM_INVALID',
    );
    // Clients send the part that is named, and try again.
    expect(await refuseMedia(uploaded({ ...file, parts: file.parts + 1 }))).toBe(
      `FILE_PART_${file.parts}_MISSING`,
    );
    const gap = { fileId: aRandomId(), bytes: Buffer.alloc(KIB).toString('base64') };
    for (const filePart of [0, 2]) await sandbox.call(ada, 'upload.saveFilePart', { ...gap, filePart });
    const holed = { _: 'inputFile', id: gap.fileId, parts: 3, name: '', md5Checksum: '' };
    expect(await refuseMedia(uploaded(holed))).toBe('FILE_PART_1_MISSING');
    expect(await refuseMedia(uploaded({ ...holed, parts: 2 }))).toBe('FILE_PART_1_MISSING');
    expect(await refuseMedia(uploaded({ ...holed, parts: 1 }))).toBe('FILE_PARTS_INVALID');
    expect(await refuseMedia(uploaded({ ...file, parts: 0 }))).toBe('FILE_PARTS_INVALID');
    expect(await refuseMedia(uploaded({ ...file, id: aRandomId() }))).toBe('INPUT_FILE_INVALID');
    const uneven = {
      fileId: aRandomId(),
      bytes: Buffer.alloc(KIB).toString('base64'),
    };
    await sandbox.call(ada, 'upload.saveFilePart', { ...uneven, filePart: 0 });
    await sandbox.call(ada, 'upload.saveFilePart', {
      ...uneven,
      filePart: 1,
      bytes: Buffer.alloc(2 * KIB).toString('base64'),
    });
    const odd = { _: 'inputFileBig', id: uneven.fileId, parts: 2, name: '' };
    expect(await refuseMedia(uploaded(odd))).toBe('FILE_PART_LENGTH_INVALID');
  });

  it.each([
    ['MEDIA_EMPTY', { _: 'inputMediaEmpty' }, {}],
    ['DOCUMENT_INVALID', { _: 'inputMediaDocument', id: { _: 'inputDocumentEmpty' } }, {}],
    [
      'DOCUMENT_INVALID',
      {
        _: 'inputMediaDocument',
        id: { _: 'inputDocument', id: '1', accessHash: '0', fileReference: '' },
      },
      {},
    ],
    ['MEDIA_CAPTION_TOO_LONG', { _: 'inputMediaEmpty' }, { message: 'x'.repeat(1_025) }],
    ['SCHEDULE_DATE_TOO_LATE', { _: 'inputMediaEmpty' }, { scheduleDate: 2_000_000_000 }],
  ])('refuses with %s', async (error, media, more) => {
    expect(await refuseMedia(media, more)).toBe(error);
  });

  it('has to be named by its file reference, and for a strict account by its access hash', async () => {
    const strict = await sandbox.anAccount('Strict', {
      workspaceId: ada.workspaceId,
      strictPeers: true,
    });
    await sendMedia(uploaded(await sandbox.upload(ada, BYTES)));
    const { document } = await received();
    const refusal = (change: object) =>
      sandbox.refusal(strict, 'upload.getFile', {
        location: locationOf({ ...document, ...change }),
        offset: 0,
        limit: 4 * KIB,
      });
    expect(await refusal({ accessHash: '1' })).toBe('FILE_ID_INVALID');
    expect(await refusal({ fileReference: '' })).toBe('FILE_REFERENCE_EMPTY');
    expect(await refusal({ fileReference: 'AAAA' })).toBe('FILE_REFERENCE_INVALID');
    const { id, accessHash } = document;
    const again = (fileReference: string) => ({
      _: 'inputMediaDocument',
      id: { _: 'inputDocument', id, accessHash, fileReference },
    });
    const other = randomBytes(16).toString('base64');
    const send = (account: SandboxAccount, reference: string) =>
      sandbox.refusal(account, 'messages.sendMedia', {
        peer: { _: 'inputPeerSelf' },
        media: again(reference),
        message: '',
        randomId: aRandomId(),
      });
    expect(await send(strict, '')).toBe('FILE_REFERENCE_EMPTY');
    expect(await send(strict, other)).toBe('FILE_REFERENCE_EXPIRED');
    expect(await send(ada, other)).toBe('FILE_REFERENCE_EXPIRED');
    await sendMedia(again(''));
  });
});
