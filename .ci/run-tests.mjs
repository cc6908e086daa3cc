import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPTS = ['test', 'test:rest'];
/** How many failures are said once more, and how much of each, in characters. */
const FAILURES_MAX = 8;
const FAILURE_LENGTH_MAX = 1_500;
const folder = mkdtempSync(join(tmpdir(), 'switchboard-ci-'));

/** @param {string} script */
function runScript(script) {
  const file = join(folder, `${script}.json`);
  const startedAt = Date.now();
  const { status } = spawnSync(
    'npm',
    ['run', script, '--', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    { stdio: 'inherit', env: { ...process.env, CI: '1' } },
  );
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const { passed, failed, failures, times } = readReport(file);
  if (status !== 0 && failures.length === 0) failures.push(`a way that it says above: exit code ${status}`);
  return {
    script,
    seconds,
    times,
    failures,
    passed,
    failed: status === 0 && passed > 0 ? failed : Math.max(failed, 1),
  };
}

/** @param {string} file */
function readReport(file) {
  let passed = 0;
  let failed = 0;
  /** @type {string[]} */
  const failures = [];
  /** @type {Map<string, { from: number, to: number }>} */
  const times = new Map();
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    passed = report.numPassedTests;
    failed = report.numFailedTests;
    // A file that could not even be loaded has no tests to count.
    failed += report.testResults.filter(
      (/** @type {{ status: string, assertionResults: unknown[] }} */ suite) =>
        suite.status === 'failed' && suite.assertionResults.length === 0,
    ).length;
    for (const { name, startTime, endTime, message, assertionResults } of report.testResults) {
      if (message) failures.push(`${name}\n${message}`);
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === 'failed') failures.push([name, fullName, ...failureMessages].join('\n'));
      const part = /\/test\/([^/]+)\//.exec(name)?.[1] ?? '';
      const { from, to } = times.get(part) ?? { from: startTime, to: endTime };
      times.set(part, { from: Math.min(from, startTime), to: Math.max(to, endTime) });
    }
  } catch {
    // The tests did not get as far as a report.
  }
  return { passed, failed, failures, times };
}

const runs = SCRIPTS.map(runScript);
rmSync(folder, { recursive: true, force: true });
// Said once more at the end: whoever has only the last lines of a log sees what failed.
for (const { script, failures } of runs)
  for (const failure of failures.slice(0, FAILURES_MAX))
    console.log(`npm run ${script} failed in ${failure.slice(0, FAILURE_LENGTH_MAX)}\n`);
for (const { script, seconds, times } of runs) {
  const parts = [...times].map(([part, { from, to }]) => `${part} ${Math.round((to - from) / 1000)} s`);
  console.log(`npm run ${script}: ${seconds} s, of which ${parts.join(', ')}`);
}
const sum = (/** @type {'passed' | 'failed'} */ what) => runs.reduce((total, run) => total + run[what], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
