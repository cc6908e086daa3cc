import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { identifyProcess, isRunning } from './process-identity.mjs';

/**
 * @typedef {object} LockHolder
 * @property {number} pid
 * @property {string} note the holder's note about itself
 */

/** Another running process holds the lock. */
export class LockedError extends Error {
  /** @override */
  name = 'LockedError';

  /** @param {LockHolder} holder */
  constructor(holder) {
    super(`Process ${holder.pid} has the lock${holder.note ? ` (${holder.note})` : ''}.`);
    this.holder = holder;
  }
}

/**
 * Takes the exclusive lock at `path`, or throws a `LockedError` if a running process holds it.
 *
 * The lock is the file with the highest number, such as `path.7`. A process takes it by creating the next number. Nobody removes the
 * highest one, not even its holder on release, so two processes that find the same dead holder cannot both replace it.
 * @param {string} path
 * @param {string} [note]
 */
export function takeLock(path, note = '') {
  mkdirSync(dirname(path), { recursive: true });
  const mine = {
    pid: process.pid,
    identities: [identifyProcess(process.pid)],
    note,
    file: '',
  };
  for (;;) {
    const numbers = listNumbers(path);
    const highest = Math.max(0, ...numbers);
    const holder = readHolder(`${path}.${highest}`);
    if (holder) throw new LockedError(holder);
    const number = highest + 1;
    mine.file = join(realpathSync(dirname(path)), basename(`${path}.${number}`));
    if (!createWhole(`${path}.${number}`, JSON.stringify(mine))) continue;
    // If the number is free again because a successor removed it, there is a higher one.
    if (Math.max(...listNumbers(path)) !== number) {
      rmSync(`${path}.${number}`, { force: true });
      continue;
    }
    for (const lower of numbers) rmSync(`${path}.${lower}`, { force: true });
    return openLock(`${path}.${number}`, mine);
  }
}

/**
 * The running process that holds the lock at `path`, whose folder exists; null if none does.
 * @param {string} path
 */
export function findHolder(path) {
  return readHolder(`${path}.${Math.max(0, ...listNumbers(path))}`);
}

/**
 * @param {string} file
 * @param {{ pid: number, identities: (string | null)[], note: string, file: string }} holder
 */
function openLock(file, holder) {
  /** @param {Partial<typeof holder>} facts */
  const rewrite = (facts) => {
    const draft = draftOf(file);
    writeFileSync(draft, JSON.stringify(Object.assign(holder, facts)), {
      mode: 0o600,
    });
    renameSync(draft, file);
  };
  return {
    /**
     * Replaces the note.
     * @param {string} note
     */
    annotate: (note) => rewrite({ note }),
    /**
     * Keeps the lock held until this other process has ended too.
     * @param {number} pid
     */
    shareWith: (pid) => rewrite({ identities: [...holder.identities, identifyProcess(pid)] }),
    /** Releases the lock. */
    release: () => writeFileSync(file, ''),
  };
}

/** @param {string} path */
function listNumbers(path) {
  const prefix = `${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isSafeInteger);
}

/**
 * Creates a file atomically with its text; false if the name is taken.
 * @param {string} file
 * @param {string} text
 */
function createWhole(file, text) {
  const draft = draftOf(file);
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * @param {string} file
 * @returns {LockHolder | null}
 */
function readHolder(file) {
  try {
    const { pid, identities, note, file: original } = JSON.parse(readFileSync(file, 'utf8'));
    return identities.some(isRunning) && !isCopy(file, original, identities) ? { pid, note } : null;
  } catch {
    return null;
  }
}

/**
 * Whether a lock file was copied with its folder, as for a backup, while its holder has the original.
 * @param {string} file
 * @param {string | undefined} original absent in the files of earlier releases
 * @param {(string | null)[]} identities
 */
function isCopy(file, original, identities) {
  if (original === undefined) return false;
  try {
    // Its holder may be writing it anew, so that two looks at it would see two files.
    if (join(realpathSync(dirname(file)), basename(file)) === original) return false;
    const [{ dev, ino }, there] = [statSync(file), statSync(original)];
    const isSame = there.dev === dev && there.ino === ino;
    // Where the folder was moved, another one may have its name by now.
    return !isSame && String(JSON.parse(readFileSync(original, 'utf8')).identities) === String(identities);
  } catch {
    return false;
  }
}

/** @param {string} file */
function draftOf(file) {
  return join(dirname(file), `.${basename(file)}-${process.pid}-${Math.random().toString(36).slice(2)}`);
}
