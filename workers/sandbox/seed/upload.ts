import { Buffer } from 'node:buffer';
import { fileKey, fileSizesKey } from '../model/files/keys.ts';
import type { Seeding } from './seeding.ts';

/** The bytes of the seeded file. */
export const SEEDED_BYTES = Buffer.from('A file to send');

/** An uploaded file of one part that no message refers to yet. Unlike other uploads, it does not expire. */
export function seedUpload({ call: { tx }, self, ids }: Seeding): void {
  tx.hset(fileKey(self.id, ids.fileId), 0, SEEDED_BYTES.toString('base64'));
  const sizes = fileSizesKey(self.id, ids.fileId);
  tx.hset(sizes, 0, String(SEEDED_BYTES.length));
  tx.hset(sizes, 'saves', '1');
}
