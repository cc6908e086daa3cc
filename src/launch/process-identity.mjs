import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Tells a process from every other one that ever has its number, or gives null if no such process runs.
 * @param {number} pid
 * @returns {string | null}
 */
export function identifyProcess(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return null;
  }
  const started = process.platform === 'linux' ? readStartFromProc(pid) : readStartFromPs(pid);
  return started === null ? null : `${pid} ${started}`;
}

/**
 * True while the process that had this identity runs; a process that only got its number later does not count.
 * @param {string | null} identity
 */
export function isRunning(identity) {
  return identity !== null && identifyProcess(Number.parseInt(identity, 10)) === identity;
}

/**
 * The parent of a process, or null where that cannot be read cheaply.
 * @param {number} pid
 */
export function findParentPid(pid) {
  const fields = readStatFields(pid);
  return fields ? Number(fields[1]) : null;
}

/** @param {number} pid */
function readStartFromProc(pid) {
  const fields = readStatFields(pid);
  // A zombie has ended; only its parent has not asked for its exit code yet.
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return null;
  // The start is counted in ticks since boot, so without the boot's id it could repeat.
  return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
}

/**
 * The fields of /proc/<pid>/stat behind the command's name, which may itself hold spaces and brackets.
 * @param {number} pid
 */
function readStatFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** @param {number} pid */
function readStartFromPs(pid) {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state, ...started] = line.split(/\s+/);
    return !state || state.startsWith('Z') ? null : started.join(' ');
  } catch {
    return null;
  }
}
