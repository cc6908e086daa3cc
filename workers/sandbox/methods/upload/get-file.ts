import { setImmediate as nextTurn } from 'node:timers/promises';
import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import type { DocumentRecord } from '../../model/files/documents.ts';
import { findGivenDocument } from '../../model/files/given-document.ts';
import { listGiftStickers } from '../../model/gifts/gift-stickers.ts';

const KIBIBYTE = 1_024;
const CHUNK = 1_024 * KIBIBYTE;

// A piece of this size takes milliseconds to read, and again to encode.
const LARGE = 128 * KIBIBYTE;

const FILE_TYPES = new Map<string, TlJson<tl.storage.TypeFileType>['_']>([
  ['image/jpeg', 'storage.fileJpeg'],
  ['image/gif', 'storage.fileGif'],
  ['image/png', 'storage.filePng'],
  ['image/webp', 'storage.fileWebp'],
  ['application/pdf', 'storage.filePdf'],
  ['audio/mpeg', 'storage.fileMp3'],
  ['video/quicktime', 'storage.fileMov'],
  ['video/mp4', 'storage.fileMp4'],
]);

/**
 * A piece of a document's bytes. Offset and limit follow Telegram's rules (core.telegram.org/api/files); with `precise`, the laxer ones.
 * Error: `LOCATION_INVALID` for anything else, such as a thumbnail.
 */
export const getFile = defineMethod('upload.getFile', async ({ location, offset, limit, precise }, call) => {
  // Documents have no thumbnails.
  const isWhole = location._ === 'inputDocumentFileLocation' && location.thumbSize === '';
  if (!isWhole) throw new MessengerError('LOCATION_INVALID');
  const record = await findGivenDocument(call, location);
  if (!record) throw new MessengerError('FILE_ID_INVALID');
  const step = precise ? KIBIBYTE : 4 * KIBIBYTE;
  if (offset < 0 || offset % step !== 0) throw new MessengerError('OFFSET_INVALID');
  const dividesChunk = precise || CHUNK % limit === 0;
  if (limit <= 0 || limit > CHUNK || limit % step !== 0 || !dividesChunk)
    throw new MessengerError('LIMIT_INVALID');
  // A request may not cross a mebibyte boundary of the file.
  if (Math.floor(offset / CHUNK) !== Math.floor((offset + limit - 1) / CHUNK))
    throw new MessengerError('LIMIT_INVALID');
  const bytes = await readBytes(call, record, offset, limit);
  return {
    _: 'upload.file',
    type: {
      _: FILE_TYPES.get(record.document.mimeType) ?? 'storage.fileUnknown',
    },
    mtime: record.document.date,
    bytes: bytes.toString('base64'),
  };
});

async function readBytes(
  call: CallContext,
  record: DocumentRecord,
  offset: number,
  limit: number,
): Promise<Buffer> {
  const end = Math.min(offset + limit, record.document.size);
  if (offset >= end) return Buffer.alloc(0);
  const first = Math.floor(offset / record.partSize);
  const last = Math.floor((end - 1) / record.partSize);
  const parts = Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  const found = await call.tx.read.hmget(call.tx.key(record.file), ...parts);
  if (limit >= LARGE) await nextTurn();
  const bytes = Buffer.concat(found.map((part) => Buffer.from(part ?? '', 'base64')));
  const start = offset - first * record.partSize;
  return bytes.subarray(start, start + (end - offset));
}

export const example: Example<'upload.getFile'> = () => {
  const [sticker] = listGiftStickers();
  if (!sticker) return null;
  const { id, accessHash, fileReference } = sticker.document;
  return {
    location: { _: 'inputDocumentFileLocation', id, accessHash, fileReference, thumbSize: '' },
    offset: 0,
    limit: 4_096,
  };
};

export const difference = 'Documents only, which have no thumbnails.';
