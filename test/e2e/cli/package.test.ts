import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { Checkout } from '../../support/service/checkout.ts';
import { Service } from '../../support/service/service.ts';

const run = promisify(execFile);
// Packed; a test that this grows with is asked whether all of it is needed.
const BYTES_MAX = 2 * 1024 * 1024;
// The registry may be slow.
const INSTALL_MS = 600_000;
const START_MS = 120_000;
const OTHERS =
  /^(docs\/.*\.(md|mjs|html|json|yaml)|src\/cli\/bin\.mjs|package\.json|README\.md|LICENSE|CHANGELOG\.md|\.env\.example)$/;

it(
  'the packed package has what it needs and no more, and works where it is installed',
  async () => {
    const checkout = new Checkout();
    cpSync('docs', join(checkout.dir, 'docs'), { recursive: true });
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-package-'));
    const service = await Service.start();
    try {
      const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
        cwd: checkout.dir,
      });
      const packed = JSON.parse(stdout.slice(stdout.indexOf('[')))[0];
      expect(packed.size).toBeLessThan(BYTES_MAX);
      const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
      expect(
        paths.filter((path) => !/^dist\/(src|workers|pages)\//.test(path) && !OTHERS.test(path)),
      ).toEqual([]);
      expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
      expect(paths).toContain('docs/cli.md');

      writeFileSync(join(folder, 'package.json'), '{ "private": true }');
      const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=5'];
      await run('npm', ['install', ...flags, join(folder, packed.filename)], { cwd: folder });
      const env = { ...process.env, SWITCHBOARD_URL: service.url, SWITCHBOARD_KEY: service.rootKey };
      const npx = async (...args: string[]) =>
        (await run('npx', ['switchboard', ...args], { cwd: folder, env })).stdout;
      expect(await npx('--help')).toContain('Usage: switchboard');
      const { version } = JSON.parse(readFileSync(join(checkout.dir, 'package.json'), 'utf8'));
      expect(await npx('--version')).toContain(version);
      const { id } = await service.aWorkspace();
      const account = await service.anAccount(id);
      expect(await npx('call', 'help.getSupport', '--workspace', id, '--account', account.id)).toContain(
        'help.support',
      );
      await startsFrom(folder);
      const program = "import { Client } from 'switchboard/client'; console.log(typeof Client);";
      expect(
        (await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })).stdout,
      ).toBe('function\n');
    } finally {
      await service.stop();
      checkout.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  INSTALL_MS,
);

/** `npx switchboard start` runs the service, and the commands find it in its folder. */
async function startsFrom(folder: string): Promise<void> {
  const env = { ...process.env, PORT: String(await findFreePort()), REDIS_URL: '' };
  const child = spawn('npx', ['switchboard', 'start'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const exited = once(child, 'exit');
  try {
    await eventually(() => printed.includes('Switchboard runs at'), { timeoutMs: START_MS });
    const { stdout } = await run('npx', ['switchboard', 'call', 'help.getSupport'], { cwd: folder, env });
    expect(stdout).toContain('help.support');
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}
