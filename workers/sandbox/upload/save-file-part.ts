import { defineMethod, MessengerError } from '../../driver.ts';
import { PART_BYTES_MAX, UPLOAD_TTL_MS } from '../model/documents.ts';
import { fileKey, fileSizesKey } from '../model/state-keys.ts';

const PARTS_MAX = 4_000;

/** Keeps one part of a file for a day; a part that is sent again replaces the first, until a message refers to the file. */
export const saveFilePart = defineMethod('upload.saveFilePart', async ({ fileId, filePart, bytes }, call) => {
  const { tx, account } = call;
  const size = Buffer.byteLength(bytes, 'base64');
  if (size === 0) throw new MessengerError('FILE_PART_EMPTY');
  if (filePart < 0 || filePart >= PARTS_MAX || size > PART_BYTES_MAX)
    throw new MessengerError('FILE_PART_INVALID');
  const [file, sizes] = [fileKey(account.userId, fileId), fileSizesKey(account.userId, fileId)];
  if ((await tx.observe(sizes, 'claimed')) !== null) throw new MessengerError('FILE_PART_INVALID');
  tx.hset(file, filePart, bytes);
  tx.hset(sizes, filePart, String(size));
  tx.expire(file, 'h', UPLOAD_TTL_MS);
  tx.expire(sizes, 'h', UPLOAD_TTL_MS);
  return true;
});
