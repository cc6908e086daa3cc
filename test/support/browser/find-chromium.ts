import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MINUTE = 60_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/**
 * The path of Chromium: that of the environment variable `CHROMIUM`, one on the PATH, or Debian's, which is installed if this is root.
 * Throws if there is none.
 */
export async function findChromium(report: (line: string) => void = () => {}): Promise<string> {
  const found = process.env.CHROMIUM ?? (await findInstalled());
  if (found !== null) return found;
  const failure = await install(report);
  const installed = await findInstalled();
  if (installed !== null) return installed;
  throw new Error(
    `The browser tests need Chromium: install it (apt-get install chromium), or set CHROMIUM to the path of one. ${failure}`,
  );
}

async function findInstalled(): Promise<string | null> {
  const script = NAMES.map((name) => `command -v ${name}`).join(' || ');
  return run('sh', ['-c', script]).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  );
}

/** Gives what went wrong, or ''. */
async function install(report: (line: string) => void): Promise<string> {
  if (process.getuid?.() !== 0) return 'Only root can have it installed.';
  report('No Chromium here: installing the one of this system’s packages (about 100 MB)…');
  try {
    // The lists of packages are often missing or out of date.
    await apt('install', 'chromium').catch(async () => {
      await apt('update');
      await apt('install', 'chromium');
    });
    return '';
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return `apt-get says: ${(stderr || message).trim().split('\n').at(-1)}`;
  }
}

async function apt(...args: string[]): Promise<void> {
  const patience = [
    '-o',
    'Acquire::Retries=3',
    '-o',
    'Acquire::http::Timeout=30',
    '-o',
    'DPkg::Lock::Timeout=120',
  ];
  await run('apt-get', ['-qq', ...patience, '--yes', '--no-install-recommends', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 16 * 1024 * 1024,
    timeout: 10 * MINUTE,
  });
}
