import { randomLong } from '../model/files/documents.ts';
import { listGiftStickers } from '../model/gifts/gift-stickers.ts';
import { SEEDED_BYTES } from '../seed/upload.ts';
import type { Examples, Exemplar } from './example.ts';

/** The seeded file, to be sent under a name. */
export function inputFile({ ids }: Exemplar, name: string) {
  return { _: 'inputFile', id: ids.fileId, parts: 1, name, md5Checksum: '' } as const;
}

/** Examples of files. */
export const uploadExamples: Examples = {
  'upload.saveFilePart': () => ({
    fileId: randomLong(),
    filePart: 0,
    bytes: SEEDED_BYTES.toString('base64'),
  }),
  'upload.getFile': () => {
    const [sticker] = listGiftStickers();
    if (!sticker) return null;
    const { id, accessHash, fileReference } = sticker.document;
    return {
      location: { _: 'inputDocumentFileLocation', id, accessHash, fileReference, thumbSize: '' },
      offset: 0,
      limit: 4_096,
    };
  },
};
