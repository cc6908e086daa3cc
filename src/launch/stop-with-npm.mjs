import { readFileSync } from 'node:fs';
import { findParentPid } from './process-identity.mjs';

const CHECK_MS = 200;

/**
 * Stops this process once the npm that runs it is gone; a killed npm would otherwise leave it running without a terminal. Does nothing
 * without npm (`lifecycleEvent` unset).
 * @param {string | undefined} lifecycleEvent
 */
export function stopWithNpm(lifecycleEvent) {
  if (!lifecycleEvent) return;
  const parent = process.ppid;
  // Some shells stay between npm and its script and outlive npm.
  const npm = isNpm(parent) ? null : findParentPid(parent);
  const isNpmBehindShell = npm !== null && isNpm(npm);
  const timer = setInterval(() => {
    if (process.ppid === parent && (!isNpmBehindShell || findParentPid(parent) === npm)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS);
  timer.unref();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      // npm and its shell may end before this process does. That must not count as a second signal.
      clearInterval(timer);
      if (process.listenerCount(signal) === 0) process.exit(130);
    });
  }
}

/** @param {number} pid */
function isNpm(pid) {
  try {
    return /^npm\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
