import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { FILE_PARTS_MAX, PART_BYTES_MAX, randomLong } from '../../model/files/documents.ts';
import { readFirstPartSize, savePart } from '../../model/files/save-part.ts';
import { SEEDED_BYTES } from '../../seed/upload.ts';

const KIBIBYTE = 1_024;
// The total of a file that is still being made while it is uploaded.
const UNKNOWN_TOTAL = -1;

/**
 * Saves one part of a large file. All parts except the last have the same size, a number of KiB that divides 512. Errors:
 * `FILE_PARTS_INVALID`, `FILE_PART_INVALID`, `FILE_PART_SIZE_INVALID`, `FILE_PART_SIZE_CHANGED`, and those of `savePart`.
 */
export const saveBigFilePart = defineMethod(
  'upload.saveBigFilePart',
  async ({ fileTotalParts: total, ...part }, call) => {
    if (total !== UNKNOWN_TOTAL && (total < 1 || total > FILE_PARTS_MAX))
      throw new MessengerError('FILE_PARTS_INVALID');
    if (total !== UNKNOWN_TOTAL && part.filePart >= total) throw new MessengerError('FILE_PART_INVALID');
    if (part.filePart !== total - 1) await checkPartSize(call, part);
    return savePart(call, part);
  },
);

async function checkPartSize(call: CallContext, part: { fileId: string; bytes: string }): Promise<void> {
  const size = Buffer.byteLength(part.bytes, 'base64');
  // `savePart` refuses these.
  if (size === 0 || size > PART_BYTES_MAX) return;
  if (size % KIBIBYTE !== 0 || PART_BYTES_MAX % size !== 0)
    throw new MessengerError('FILE_PART_SIZE_INVALID');
  const firstSize = await readFirstPartSize(call, part.fileId);
  if (firstSize !== null && firstSize !== size) throw new MessengerError('FILE_PART_SIZE_CHANGED');
}

export const example: Example<'upload.saveBigFilePart'> = () => ({
  fileId: randomLong(),
  filePart: 0,
  fileTotalParts: 1,
  bytes: SEEDED_BYTES.toString('base64'),
});

export const difference = 'At most 4,000 parts.';
