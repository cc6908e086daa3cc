import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { FILE_PARTS_MAX, PART_BYTES_MAX, randomLong, UPLOAD_TTL_MS } from '../../model/files/documents.ts';
import { fileKey, fileSizesKey } from '../../model/files/keys.ts';
import { SEEDED_BYTES } from '../../seed/upload.ts';

/** Keeps one part of a file for a day; a part that is sent again replaces the first, but not once a message refers to the file. */
export const saveFilePart = defineMethod('upload.saveFilePart', async ({ fileId, filePart, bytes }, call) => {
  const { tx, account } = call;
  const size = Buffer.byteLength(bytes, 'base64');
  if (size === 0) throw new MessengerError('FILE_PART_EMPTY');
  if (size > PART_BYTES_MAX) throw new MessengerError('FILE_PART_TOO_BIG');
  if (filePart < 0 || filePart >= FILE_PARTS_MAX) throw new MessengerError('FILE_PART_INVALID');
  const [file, sizes] = [fileKey(account.userId, fileId), fileSizesKey(account.userId, fileId)];
  if ((await tx.observe(sizes, 'claimed')) !== null) {
    const stored = await tx.read.hget(tx.key(file), String(filePart));
    if (stored !== bytes) throw new MessengerError('FILE_PART_INVALID');
    return true;
  }
  tx.hset(file, filePart, bytes);
  tx.hset(sizes, filePart, String(size));
  tx.hincrby(sizes, 'saves', 1);
  tx.expire(file, 'h', UPLOAD_TTL_MS);
  tx.expire(sizes, 'h', UPLOAD_TTL_MS);
  return true;
});

export const example: Example<'upload.saveFilePart'> = () => ({
  fileId: randomLong(),
  filePart: 0,
  bytes: SEEDED_BYTES.toString('base64'),
});

export const difference = 'Parts that no message refers to are kept for a day.';
