import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compile, isCompiled } from './compile.mjs';
import { arePackagesInstalled, installPackages } from './install-packages.mjs';
import { LockedError, takeLock } from './take-lock.mjs';

/**
 * Installs the packages and compiles the sources if needed, one process at a time.
 * @param {string} root
 */
export async function prepare(root) {
  const withoutDev = process.env.NODE_ENV === 'production' && existsSync(join(root, 'dist/src'));
  const isInstalled = () => arePackagesInstalled(root, { withoutDev });
  if (isInstalled() && isCompiled(root)) return;
  await alone(root, async (lock) => {
    if (!isInstalled()) {
      await report('Installing packages (npm ci)', () => installPackages(root, findNpm(), lock.shareWith));
    }
    if (!isCompiled(root)) await report('Compiling (tsc)', () => compile(root, lock.shareWith));
  });
}

/**
 * Compiles the sources if needed, one process at a time.
 * @param {string} root
 */
export async function compileStale(root) {
  if (isCompiled(root)) return;
  await alone(root, async (lock) => {
    if (!isCompiled(root)) await report('Compiling (tsc)', () => compile(root, lock.shareWith));
  });
}

/**
 * Runs `work` while no other command of this checkout installs or compiles.
 * @param {string} root
 * @param {(lock: ReturnType<typeof takeLock>) => Promise<void>} work
 */
async function alone(root, work) {
  const lock = await waitForLock(root);
  try {
    await work(lock);
  } finally {
    lock.release();
  }
}

/** The script of the npm that runs this process, which is not always the one on the PATH. */
function findNpm() {
  const script = process.env.npm_execpath;
  return script && /npm-cli\.c?js$/.test(script) ? script : undefined;
}

/** @param {string} root */
async function waitForLock(root) {
  for (let hasSaidSo = false; ; await new Promise((wake) => setTimeout(wake, 100))) {
    try {
      // In dist/, which unlike node_modules is never removed as a whole.
      return takeLock(join(root, 'dist/.lock'));
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (!hasSaidSo)
        process.stderr.write(`Waiting for process ${error.holder.pid}, which installs or compiles…\n`);
      hasSaidSo = true;
    }
  }
}

/**
 * @param {string} what
 * @param {() => Promise<void>} work
 */
async function report(what, work) {
  const startedAt = performance.now();
  process.stderr.write(`${what}…\n`);
  await work();
  process.stderr.write(`${what}: done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
}
