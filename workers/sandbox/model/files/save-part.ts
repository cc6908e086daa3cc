import { type CallContext, MessengerError } from '../../../driver.ts';
import { FILE_PARTS_MAX, PART_BYTES_MAX, UPLOAD_TTL_MS } from './documents.ts';
import { fileKey, fileSizesKey } from './keys.ts';

/** A part of a file, its bytes in base64. */
export interface FilePart {
  fileId: string;
  filePart: number;
  bytes: string;
}

/**
 * Saves one part of a file for a day. A part that is sent again replaces the first, unless a message already refers to the file. Errors:
 * `FILE_PART_EMPTY`, `FILE_PART_TOO_BIG`, `FILE_PART_INVALID`.
 */
export async function savePart(call: CallContext, { fileId, filePart, bytes }: FilePart): Promise<true> {
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
}

/** The size of a file's first part in bytes; null if it is missing. */
export async function readFirstPartSize(
  { tx, account }: CallContext,
  fileId: string,
): Promise<number | null> {
  const size = await tx.read.hget(tx.key(fileSizesKey(account.userId, fileId)), '0');
  return size === null ? null : Number(size);
}
