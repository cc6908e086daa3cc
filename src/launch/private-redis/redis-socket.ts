import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

// macOS allows 104 bytes for the path of a socket, Linux 108.
const PATH_BYTES_MAX = 100;
const NAME = 'redis.sock';

/**
 * The path of the Unix socket for the server of a data folder: in that folder, or, if that path is too long for a socket, in a temporary
 * folder made for it. Only this user can enter either. `last` is the path of the last start: it is kept while its temporary folder is there.
 */
export function chooseSocket(dir: string, last: string | undefined): string {
  if (modeOf(dir) & 0o077) chmodSync(dir, 0o700);
  const inside = join(dir, NAME);
  if (Buffer.byteLength(inside) <= PATH_BYTES_MAX) return inside;
  if (last !== undefined && isOfFolder(dir, last) && isPrivate(dirname(last))) return last;
  const parent = Buffer.byteLength(tmpdir()) <= PATH_BYTES_MAX / 2 ? tmpdir() : '/tmp';
  return join(mkdtempSync(join(parent, prefixOf(dir))), NAME);
}

/** Removes the temporary folder of the socket, if there is one. */
export function removeSocket(dir: string, socket: string): void {
  if (isOfFolder(dir, socket) && isPrivate(dirname(socket))) rmSync(dirname(socket), { recursive: true });
}

// False for the socket of another data folder, of which this one is a copy.
function isOfFolder(dir: string, socket: string): boolean {
  return basename(socket) === NAME && basename(dirname(socket)).startsWith(prefixOf(dir));
}

function prefixOf(dir: string): string {
  return `switchboard-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}-`;
}

/** Whether it is a folder (no symbolic link) that only this user may enter. */
function isPrivate(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

/** The mode of a folder of this user; 0 for another user's, whose mode cannot be changed. */
function modeOf(folder: string): number {
  const { mode, uid } = lstatSync(folder);
  return uid === process.getuid?.() ? mode : 0;
}
