import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './run-child.mjs';

/**
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [dev]
 * @property {boolean} [devOptional]
 */

/**
 * True if node_modules has what package-lock.json asks for, by npm's own record of what it installed. So an `npm install` by hand
 * counts, and an interrupted installation, which leaves no record, does not.
 * @param {string} root
 * @param {{ withoutDev: boolean }} options
 */
export function arePackagesInstalled(root, { withoutDev }) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(join(root, 'node_modules/.package-lock.json'));
  if (!present) return false;
  return Object.entries(wanted ?? {}).every(([path, entry]) => {
    const isForDevelopment = entry.dev || entry.devOptional;
    const mayBeAbsent = entry.optional || (withoutDev && isForDevelopment);
    const found = present[path];
    return path === '' || (found ? isSame(found, entry) : Boolean(mayBeAbsent));
  });
}

/**
 * @param {LockEntry} present
 * @param {LockEntry} wanted an entry for another platform may lack the checksum
 */
function isSame(present, wanted) {
  return present.version === wanted.version && (!wanted.integrity || present.integrity === wanted.integrity);
}

/**
 * Installs the packages of package-lock.json. `npm` is the script of the npm to use; undefined for the one on the PATH.
 * @param {string} root
 * @param {string | undefined} npm
 * @param {(pid: number) => void} onSpawn
 */
export async function installPackages(root, npm, onSpawn) {
  const flags = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  /** @type {[string, string[]]} */
  const [command, args] = npm ? [process.execPath, [npm, ...flags]] : ['npm', flags];
  const code = await runChild(command, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    onSpawn,
  });
  if (code !== 0) throw new Error('npm could not install the packages; its messages are above.');
}

/**
 * @param {string} lockFile
 * @returns {Record<string, LockEntry> | null}
 */
function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return null;
  }
}
