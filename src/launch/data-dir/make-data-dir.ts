import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartError } from '../../run-process.ts';

/** Makes the data folder if it is not there. Throws a `StartError` if it cannot be used. */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolders(resolve(dataDir));
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw unusable(dataDir, error as NodeJS.ErrnoException);
  }
}

/** A `StartError` for a file of the data folder that could not be read or written; any other error as it is. */
export function explainDataDir(error: unknown, dataDir: string): unknown {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  // A write to an open file does not name it.
  const isInside = path === undefined ? syscall === 'write' : isIn(dataDir, path);
  return code === undefined || !isInside ? error : unusable(dataDir, error as NodeJS.ErrnoException);
}

// The folder may be a symbolic link, which paths of its Redis do not go through.
function isIn(dataDir: string, path: string): boolean {
  const folders = [resolve(dataDir), ...(existsSync(dataDir) ? [realpathSync(dataDir)] : [])];
  return folders.some((folder) => resolve(path).startsWith(folder));
}

function unusable(dataDir: string, { code, message }: NodeJS.ErrnoException): StartError {
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const hint = isFull
    ? 'make room on its disk'
    : 'set SWITCHBOARD_DATA_DIR to a folder that this user may write to';
  return new StartError(`The data folder ${dataDir} cannot be used (${code ?? message}): ${hint}.`);
}

// One by one: below /proc, where a folder seems to be missing and cannot be made, Node's `recursive` tries for ever.
function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  if (folder !== dirname(folder)) makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
