import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only this user can read. If the process is killed, the file has all of the text or none. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** The trimmed text of a file, or null if there is no such file. */
export function findFileText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The secret in a file that only this user can read. The first call creates both. */
export function loadOrCreateSecret(file: string, make: () => string): string {
  const kept = findFileText(file);
  if (kept) return kept;
  const secret = make();
  writePrivateFile(file, `${secret}\n`);
  return secret;
}
