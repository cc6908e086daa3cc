import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONFIG = join(ROOT, 'test/conformance/vitest.config.ts');

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

// The suite also tests writing over HTTP, which Switchboard does not offer: those of its tests are left out there.
it('the stream passes the 184 tests of reading in the Durable Streams suite', {
  timeout: 300_000,
}, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'switchboard-conformance-'));
  const file = join(dir, 'report.json');
  const args = [VITEST, 'run', '--config', CONFIG, '--reporter=json', `--outputFile=${file}`];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  await rm(dir, { recursive: true });
  const failed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed');
  expect(failed.map(({ fullName }) => fullName)).toEqual([]);
  expect(report.numPassedTests).toBe(184);
});
