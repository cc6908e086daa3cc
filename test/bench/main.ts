import { readFile, writeFile } from 'node:fs/promises';
import { type BenchOptions, helpText, readOptions } from './read-options.ts';
import { type Floors, findFallen, isSuspect, recordFloors } from './report/find-fallen.ts';
import { poolFindings } from './report/finding.ts';
import { withPromises } from './report/promises.ts';
import { renderTable } from './report/render-table.ts';
import type { ScenarioReport } from './report/report.ts';
import { summaryTable } from './report/summary-table.ts';
import { writeReport } from './report/write-report.ts';
import { stopChildren } from './rig/child.ts';
import { compileBench } from './rig/compile-bench.ts';
import { openRig, type Rig } from './rig/open-rig.ts';
import type { Bench, NamedReport, Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';
import { showProgress } from './show-progress.ts';

const COMPILE_SECONDS = 6;
const LONGEST_MS = 60 * 60 * 1_000;
const FLOORS_FILE = 'test/bench/floors.json';
const REPORT_FOLDER = 'docs/performance';

const rigs = new Set<Rig>();
let redisVersion = '';
let stopped = false;

try {
  await main();
} catch (error) {
  // Whoever stops the bench does not want to hear what became of its processes.
  if (stopped) await new Promise(() => undefined);
  showProgress('');
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await closeRigs();
}
process.exit();

async function main(): Promise<void> {
  const options = readOptions(
    process.argv.slice(2),
    SCENARIOS.map(({ name }) => name),
  );
  if (options.help) {
    process.stdout.write(helpText([...SCENARIOS]));
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopEarly(signal));
  setTimeout(() => void stopEarly('the time limit of an hour'), LONGEST_MS).unref();
  const scenarios = SCENARIOS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  announce(options, scenarios);
  showProgress('compiling');
  await compileBench();
  const reports = await runScenarios(options, scenarios);
  const floors: Floors = JSON.parse(await readFile(FLOORS_FILE, 'utf8'));
  if (options.guard) await measureSuspectsAgain(options, reports, floors);
  await conclude(options, reports, floors);
}

// Whoever starts a long run wants to know when to come back.
function announce({ quick }: BenchOptions, scenarios: readonly Scenario[]): void {
  const seconds = secondsOf(scenarios, quick);
  const end = new Date(Date.now() + seconds * 1_000).toTimeString().slice(0, 5);
  const names = scenarios.map(({ name }) => name).join(', ');
  const duration = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
  process.stderr.write(
    `${names}: about ${duration}, until ${end}; longer while the machine does other work.\n`,
  );
}

function secondsOf(scenarios: readonly Scenario[], quick: boolean): number {
  return scenarios.reduce(
    (sum, { seconds }) => sum + (quick ? seconds.quick : seconds.full),
    COMPILE_SECONDS,
  );
}

async function runScenarios(options: BenchOptions, scenarios: readonly Scenario[]): Promise<NamedReport[]> {
  const reports: NamedReport[] = [];
  for (const [index, { name, summary, run }] of scenarios.entries()) {
    const left = Math.ceil(secondsOf(scenarios.slice(index), options.quick) / 60);
    const place = `[${index + 1}/${scenarios.length}, ${left} min left] ${name}`;
    const startedAt = performance.now();
    const found = await run(benchFor(options, place)).catch((error: Error) => failedReport(name, error));
    const report = { ...found, findings: withPromises(found.findings) };
    await closeRigs();
    showProgress(`${name} took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    showProgress('');
    for (const table of report.tables) process.stdout.write(`${renderTable(table)}\n\n`);
    for (const complaint of report.complaints) process.stdout.write(`! ${complaint}\n`);
    reports.push({ name, summary, report });
  }
  return reports;
}

// On a machine that does other things as well, one measurement in several shows a ratio that is not so. Rounds of both count.
async function measureSuspectsAgain(
  options: BenchOptions,
  reports: readonly NamedReport[],
  floors: Floors,
): Promise<void> {
  const hasSuspects = ({ report }: NamedReport) => report.findings.some((one) => isSuspect(floors, one));
  const suspects = new Set(reports.filter(hasSuspects).map(({ name }) => name));
  if (suspects.size === 0) return;
  process.stdout.write(`Worse than a floor or a limit: ${[...suspects].join(', ')}; measured once more.\n\n`);
  const scenarios = SCENARIOS.filter(({ name }) => suspects.has(name));
  for (const { name, report: again } of await runScenarios(options, scenarios)) {
    const { report } = reports.find((one) => one.name === name) as NamedReport;
    report.findings = poolFindings(report.findings, again.findings);
    report.complaints.push(...again.complaints);
  }
}

// The others are worth having all the same.
function failedReport(name: string, error: Error): ScenarioReport {
  if (stopped) throw error;
  const complaints = [`${name} could not be measured: ${error.message}`];
  return { about: '', findings: [], tables: [], charts: [], complaints, raw: null };
}

function benchFor(options: BenchOptions, scenario: string): Bench {
  return {
    options,
    say: (text) => showProgress(`${scenario}: ${text}`),
    async openRig(wanted) {
      showProgress(`${scenario}: starting Redis and the designs, seeding a workspace`);
      const { profileTo } = options;
      const rig = await openRig({
        designs: options.designs,
        apis: 1,
        workers: 1,
        profileTo,
        ...wanted,
      });
      rigs.add(rig);
      redisVersion = /redis_version:(\S+)/.exec(await rig.redis.info('server'))?.[1] ?? '';
      return rig;
    },
  };
}

async function conclude(options: BenchOptions, reports: NamedReport[], floors: Floors): Promise<void> {
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, JSON.stringify(reports, null, 1));
  const findings = reports.flatMap(({ report }) => report.findings);
  process.stdout.write(`${renderTable(summaryTable(findings))}\n\n`);
  if (options.report) {
    await writeReport(REPORT_FOLDER, reports, { redisVersion, quick: options.quick });
    process.stdout.write(`${REPORT_FOLDER}/bench.md and bench.json are written.\n`);
  }
  const complaints = reports.flatMap(({ report }) => report.complaints);
  if (options.guard) {
    complaints.push(...findFallen(floors, findings));
    for (const complaint of complaints) process.stdout.write(`! ${complaint}\n`);
    if (complaints.length === 0) process.stdout.write('No ratio is below its floor.\n');
  }
  if (options.record) {
    await writeFile(FLOORS_FILE, `${JSON.stringify(recordFloors(floors, findings), null, 2)}\n`);
    process.stdout.write(`${FLOORS_FILE} is written.\n`);
  }
  if (complaints.length > 0) process.exitCode = 1;
}

async function closeRigs(): Promise<void> {
  const open = [...rigs];
  rigs.clear();
  await Promise.all(open.map((rig) => rig.close()));
}

// What has been started may belong to a rig that is not complete. Redis ends with this process.
async function stopEarly(reason: string): Promise<void> {
  stopped = true;
  showProgress('');
  process.stderr.write(`Stopped by ${reason}.\n`);
  await stopChildren();
  process.exit(130);
}
