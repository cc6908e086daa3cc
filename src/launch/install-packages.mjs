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
 * True while node_modules holds what package-lock.json asks for, by npm's own record of what it installed: so an
 * `npm install` by hand counts, and an installation that was cut off, which leaves no record, does not.
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
 * @param {LockEntry} wanted an entry of another platform may come without the checksum
 */
function isSame(present, wanted) {
  return present.version === wanted.version && (!wanted.integrity || present.integrity === wanted.integrity);
}

/**
 * Installs the packages of package-lock.json; `npm` is the script of the npm to use, the one on the PATH if undefined.
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
  if (code !== 0) throw new Error('npm could not install the packages; what it said is above.');
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
