import { type CallContext, MessengerError } from '../../../driver.ts';
import { type DocumentRecord, FILE_REFERENCE_BYTES, findDocument } from './documents.ts';

/** The reference to a document in an `inputDocument` or a file's location. */
interface Given {
  id: string;
  accessHash: string;
  fileReference: string;
}

/**
 * The document that a caller names, or null. A strict account has to know its access hash and its file reference; others may leave the
 * reference empty. Errors: `FILE_REFERENCE_EMPTY`, `FILE_REFERENCE_EXPIRED` for a wrong reference, `FILE_REFERENCE_INVALID` for one that is
 * malformed.
 */
export async function findGivenDocument(
  call: CallContext,
  { id, accessHash, fileReference }: Given,
): Promise<DocumentRecord | null> {
  const { strictPeers } = call.account;
  const found = await findDocument(call, id);
  if (!found || (strictPeers && found.document.accessHash !== accessHash)) return null;
  if (fileReference === found.document.fileReference || (fileReference === '' && !strictPeers)) return found;
  if (fileReference === '') throw new MessengerError('FILE_REFERENCE_EMPTY');
  const isOne = Buffer.byteLength(fileReference, 'base64') === FILE_REFERENCE_BYTES;
  throw new MessengerError(isOne ? 'FILE_REFERENCE_EXPIRED' : 'FILE_REFERENCE_INVALID');
}
