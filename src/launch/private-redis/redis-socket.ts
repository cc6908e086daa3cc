import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

// Of the 104 bytes that macOS has for it; Linux has 108.
const PATH_BYTES_MAX = 100;
const NAME = 'redis.sock';

/**
 * Where the server of a data folder listens: in that folder, or where its path is too long for a socket in a folder made for it among the
 * temporary ones. Only this user can reach, or make, anything in either. `last` is where it was before.
 */
export function chooseSocket(dir: string, last: string | undefined): string {
  if (modeOf(dir) & 0o077) chmodSync(dir, 0o700);
  const inside = join(dir, NAME);
  if (Buffer.byteLength(inside) <= PATH_BYTES_MAX) return inside;
  if (last !== undefined && isOfFolder(dir, last) && isPrivate(dirname(last))) return last;
  const home = Buffer.byteLength(tmpdir()) <= PATH_BYTES_MAX / 2 ? tmpdir() : '/tmp';
  return join(mkdtempSync(join(home, prefixOf(dir))), NAME);
}

/** Removes what was made for the socket beside the data folder. */
export function removeSocket(dir: string, socket: string): void {
  if (isOfFolder(dir, socket) && isPrivate(dirname(socket))) rmSync(dirname(socket), { recursive: true });
}

// Not that of a folder this one is a copy of.
function isOfFolder(dir: string, socket: string): boolean {
  return basename(socket) === NAME && basename(dirname(socket)).startsWith(prefixOf(dir));
}

function prefixOf(dir: string): string {
  return `switchboard-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}-`;
}

/** Whether it is a folder, no link to one, that nobody but this user may enter. */
function isPrivate(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

/** The mode of a folder of this user; 0 for another's, whose mode cannot be changed. */
function modeOf(folder: string): number {
  const { mode, uid } = lstatSync(folder);
  return uid === process.getuid?.() ? mode : 0;
}
