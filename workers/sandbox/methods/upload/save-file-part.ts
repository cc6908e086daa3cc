import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { randomLong } from '../../model/files/documents.ts';
import { savePart } from '../../model/files/save-part.ts';
import { SEEDED_BYTES } from '../../seed/upload.ts';

/** Saves one part of a file of up to 10 MiB. */
export const saveFilePart = defineMethod('upload.saveFilePart', async (part, call) => savePart(call, part));

export const example: Example<'upload.saveFilePart'> = () => ({
  fileId: randomLong(),
  filePart: 0,
  bytes: SEEDED_BYTES.toString('base64'),
});

export const difference = 'Unused parts are kept for a day.';
