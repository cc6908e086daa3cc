import { randomBytes } from 'node:crypto';
import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { PerCall } from '../common/per-call.ts';
import { digestOf } from './file-digest.ts';
import { DOCUMENTS, fileKey, fileSizesKey } from './keys.ts';

/** A stored document: its TL object, and where its bytes are. */
export interface DocumentRecord {
  document: TlJson<tl.RawDocument>;
  /** Key of the hash that holds the parts, and the size of each part except the last. */
  file: string;
  partSize: number;
}

/** The parts of an upload: the size of all and of each but the last, and how often one was saved. */
interface MeasuredParts {
  size: number;
  partSize: number;
  saves: string | null;
}

type InputFile = TlJson<tl.TypeInputFile>;

export const FILE_REFERENCE_BYTES = 16;

/** How many parts a file may have. Source: core.telegram.org/api/files. */
export const FILE_PARTS_MAX = 4_000;

/** How long uploaded parts that no message refers to are kept. */
export const UPLOAD_TTL_MS = 24 * 60 * 60 * 1_000;

/** Telegram's limits of a part's size in bytes. Source: core.telegram.org/api/files. */
export const PART_BYTES_MAX = 512 * 1024;

// Of a document's name, type and attributes, as JSON.
const DESCRIPTION_LENGTH_MAX = 8_000;

/** Above this size a file has no checksum with Telegram: it is an `inputFileBig`. Source: core.telegram.org/api/files. */
const SUMMED_BYTES_MAX = 10 * 1024 * 1024;

const measured = new PerCall(() => new Map<string, Promise<MeasuredParts>>());

/** A random TL long, as ids and access hashes are. */
export function randomLong(): string {
  return (randomBytes(8).readBigInt64BE() & 0x7fff_ffff_ffff_ffffn).toString();
}

/** The document of this id, or null. */
export async function findDocument(call: CallContext, id: string): Promise<DocumentRecord | null> {
  const raw = await call.tx.read.hget(call.tx.key(DOCUMENTS), id);
  return raw === null ? null : (JSON.parse(raw) as DocumentRecord);
}

/**
 * Makes a document from the parts that the account uploaded. Errors: `INPUT_FILE_INVALID` if none was, `FILE_PART_n_MISSING` for the first
 * that was not, `FILE_PARTS_INVALID` if more were than are given, or for a checksum for more than 10 MiB, `FILE_PART_LENGTH_INVALID` if they
 * differ in size, `MD5_CHECKSUM_INVALID`, `MEDIA_INVALID` if name, type and attributes are longer than 8,000 characters.
 */
export async function addDocument(
  call: CallContext,
  file: InputFile,
  mimeType: string,
  attributes: TlJson<tl.TypeDocumentAttribute>[],
): Promise<TlJson<tl.RawDocument>> {
  if (file._ === 'inputFileStoryDocument') throw new MessengerError('INPUT_FILE_INVALID');
  if (file.parts < 1 || file.parts > FILE_PARTS_MAX) throw new MessengerError('FILE_PARTS_INVALID');
  const name = fileKey(call.account.userId, file.id);
  const sizes = fileSizesKey(call.account.userId, file.id);
  const { size, partSize, saves } = await measureOnce(call, sizes, file.parts);
  if (file._ === 'inputFile' && file.md5Checksum !== '') {
    if (size > SUMMED_BYTES_MAX) throw new MessengerError('FILE_PARTS_INVALID');
    const digest = await digestOf(call, { name, parts: file.parts, partSize, saves });
    if (digest !== file.md5Checksum.toLowerCase()) throw new MessengerError('MD5_CHECKSUM_INVALID');
  }
  if (JSON.stringify([mimeType, file.name, attributes]).length > DESCRIPTION_LENGTH_MAX)
    throw new MessengerError('MEDIA_INVALID');
  const named = attributes.some(({ _ }) => _ === 'documentAttributeFilename');
  const document: TlJson<tl.RawDocument> = {
    _: 'document',
    id: randomLong(),
    accessHash: randomLong(),
    fileReference: randomBytes(FILE_REFERENCE_BYTES).toString('base64'),
    date: call.date,
    mimeType,
    size,
    dcId: 1,
    attributes:
      named || file.name === ''
        ? attributes
        : [...attributes, { _: 'documentAttributeFilename', fileName: file.name }],
  };
  call.tx.hset(DOCUMENTS, document.id, {
    document,
    file: name,
    partSize,
  } satisfies DocumentRecord);
  call.tx.hset(sizes, 'claimed', '1');
  call.tx.persist(name, 'h');
  call.tx.persist(sizes, 'h');
  return document;
}

// A poll, for example, may show one upload many times.
function measureOnce(call: CallContext, sizes: string, parts: number): Promise<MeasuredParts> {
  const known = measured.of(call);
  const name = `${sizes} ${parts}`;
  const measuring = known.get(name) ?? measureParts(call, sizes, parts);
  known.set(name, measuring);
  return measuring;
}

async function measureParts(call: CallContext, sizes: string, parts: number): Promise<MeasuredParts> {
  const stored = await call.tx.read.hgetall(call.tx.key(sizes));
  for (const part in stored) call.tx.charactersRead += part.length + (stored[part]?.length ?? 0);
  const { claimed: _, saves = null, ...bytesOf } = stored;
  call.tx.expectField(sizes, 'saves', saves);
  const count = Object.keys(bytesOf).length;
  if (count === 0) throw new MessengerError('INPUT_FILE_INVALID');
  const bytes = Array.from({ length: parts }, (_, part) => Number(bytesOf[part] ?? 0));
  const missing = bytes.indexOf(0);
  if (missing >= 0) throw new MessengerError(`FILE_PART_${missing}_MISSING`);
  if (count !== parts) throw new MessengerError('FILE_PARTS_INVALID');
  const [partSize = 0] = bytes;
  const fits = (size: number, part: number) => (part < parts - 1 ? size === partSize : size <= partSize);
  if (!bytes.every(fits)) throw new MessengerError('FILE_PART_LENGTH_INVALID');
  return { size: bytes.reduce((sum, size) => sum + size, 0), partSize, saves };
}
