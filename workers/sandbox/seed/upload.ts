import { Buffer } from 'node:buffer';
import { fileKey, fileSizesKey } from '../model/common/state-keys.ts';
import type { Furnishing } from './seeding.ts';

/** The bytes of the furnished file. */
export const FURNISHED_BYTES = Buffer.from('A file to send');

/** An uploaded file of one part that no message refers to yet; unlike others it is kept. */
export function furnishUpload({ call: { tx }, self, ids }: Furnishing): void {
  tx.hset(fileKey(self.id, ids.fileId), 0, FURNISHED_BYTES.toString('base64'));
  const sizes = fileSizesKey(self.id, ids.fileId);
  tx.hset(sizes, 0, String(FURNISHED_BYTES.length));
  tx.hset(sizes, 'saves', '1');
}
