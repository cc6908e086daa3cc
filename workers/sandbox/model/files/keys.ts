/**
 * The keys of files. The letters are those of `common/keys.ts`.
 *
 *   files:U:F           hash: part number -> base64, of an uploaded file
 *   sizes:U:F           hash: part number -> bytes; `saves`: how often a part was saved; `claimed`: set once a message refers to the file
 *   documents           hash: document id -> DocumentRecord
 */
export const DOCUMENTS = 'documents';

export function fileKey(userId: number, fileId: string): string {
  return `files:${userId}:${fileId}`;
}

export function fileSizesKey(userId: number, fileId: string): string {
  return `sizes:${userId}:${fileId}`;
}
