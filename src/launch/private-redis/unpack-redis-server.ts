import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MINUTE = 60_000;

/**
 * Downloads Debian's redis-server with apt, which checks its signature, and unpacks it under `node_modules/.cache`. Returns its command,
 * or null if apt cannot do that. Unpacking needs no root, starts no service and changes nothing outside this folder. When `signal`
 * aborts, ends the download and rejects with its reason.
 */
export async function unpackRedisServer(
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const home = resolve('node_modules/.cache/switchboard/redis-server');
  const command = join(home, 'run');
  if (existsSync(command)) return command;
  if (!(await isInstalled('apt-get')) || !(await isInstalled('dpkg-deb'))) return null;

  report('No redis-server here: fetching the one of this system’s packages (about 2 MB)…');
  const draft = `${home}.${process.pid}`;
  try {
    await download(draft, signal);
    await unpack(draft);
    // Another process may have been faster, with the same result.
    await rename(join(draft, 'root'), home).catch(() => {});
    return existsSync(command) ? command : null;
  } catch (error) {
    signal.throwIfAborted();
    report(`That failed: ${lastLine(error)}`);
    return null;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function isInstalled(command: string): Promise<boolean> {
  return (await run(command, ['--version']).catch(() => null)) !== null;
}

/** Downloads the packages, with the system's package lists, or with own ones if those are missing or out of date. */
async function download(draft: string, signal: AbortSignal): Promise<void> {
  const lists = join(draft, 'lists');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(draft, 'archives/partial'), { recursive: true });
  try {
    await downloadPackages(draft, [], signal);
  } catch {
    signal.throwIfAborted();
    const ownLists = ['-o', `Dir::State::lists=${lists}`];
    await runApt(draft, [...ownLists, 'update'], signal);
    await downloadPackages(draft, ownLists, signal);
  }
}

async function downloadPackages(draft: string, options: string[], signal: AbortSignal): Promise<void> {
  const action = ['install', '--download-only', '--yes', '--no-install-recommends', '--reinstall'];
  // The program is in redis-tools, which may be installed without redis-server.
  const packages = ['redis-server', 'redis-tools'];
  await runApt(draft, [...options, ...action, ...packages], signal);
  const files = await readdir(join(draft, 'archives'));
  // apt also succeeds if an installed package has no source to download from.
  const missing = packages.find((name) => !files.some((file) => file.startsWith(`${name}_`)));
  if (missing) throw new Error(`apt has no ${missing} to download.`);
}

async function runApt(draft: string, args: string[], signal: AbortSignal): Promise<void> {
  const cache = ['-o', `Dir::Cache=${draft}`, '-o', 'Debug::NoLocking=1'];
  const patience = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];
  await run('apt-get', ['-qq', ...cache, ...patience, ...args], {
    timeout: 3 * MINUTE,
    signal,
  });
}

async function unpack(draft: string): Promise<void> {
  const root = join(draft, 'root');
  const archives = join(draft, 'archives');
  for (const file of await readdir(archives)) {
    if (file.endsWith('.deb')) await run('dpkg-deb', ['--extract', join(archives, file), root]);
  }
  // The unpacked libraries are not where the system's linker looks.
  const script = `#!/bin/sh
here=$(dirname "$0")
for folder in "$here"/lib "$here"/lib/* "$here"/usr/lib "$here"/usr/lib/*; do
  LD_LIBRARY_PATH=$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
export LD_LIBRARY_PATH
exec "$here"/usr/bin/redis-server "$@"
`;
  await writeFile(join(root, 'run'), script, { mode: 0o755 });
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).trim().split('\n').at(-1) ?? '';
}
