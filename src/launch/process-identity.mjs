import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * An identity that no other process ever has, even if it gets the same pid later; null if no such process runs.
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
 * True while the process with this identity runs.
 * @param {string | null} identity
 */
export function isRunning(identity) {
  return identity !== null && identifyProcess(Number.parseInt(identity, 10)) === identity;
}

/**
 * The pid of a process' parent, or null if that cannot be read cheaply.
 * @param {number} pid
 */
export function findParentPid(pid) {
  const fields = readStatFields(pid);
  return fields ? Number(fields[1]) : null;
}

/** @param {number} pid */
function readStartFromProc(pid) {
  const fields = readStatFields(pid);
  // A zombie has ended; its parent has not read its exit code yet.
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return null;
  // The start time counts ticks since boot, so it could repeat after a reboot.
  return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
}

/**
 * The fields of /proc/<pid>/stat after the command's name, which may itself contain spaces and brackets.
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
