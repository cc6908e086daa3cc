import { readFile, writeFile } from 'node:fs/promises';
import { type BenchOptions, helpText, readOptions } from './read-options.ts';
import { type Floors, findFallen } from './report/find-fallen.ts';
import { renderTable } from './report/render-table.ts';
import { type NamedReport, writeReport } from './report/write-report.ts';
import { compileBench } from './rig/compile-bench.ts';
import { openRig, type Rig } from './rig/open-rig.ts';
import type { Bench } from './scenario.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';
import { showProgress } from './show-progress.ts';

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
  showProgress('compiling');
  await compileBench();
  const reports = await runScenarios(options);
  await conclude(options, reports);
}

async function runScenarios(options: BenchOptions): Promise<NamedReport[]> {
  const reports: NamedReport[] = [];
  for (const { name, summary, quick, run } of SCENARIOS) {
    if (options.only.length > 0 ? !options.only.includes(name) : options.quick && !quick) continue;
    const report = await run(benchFor(options, name));
    await closeRigs();
    showProgress('');
    for (const table of report.tables) process.stdout.write(`${renderTable(table)}\n\n`);
    for (const complaint of report.complaints) process.stdout.write(`! ${complaint}\n`);
    reports.push({ name, summary, report });
  }
  return reports;
}

function benchFor(options: BenchOptions, scenario: string): Bench {
  return {
    options,
    say: (text) => showProgress(`${scenario}: ${text}`),
    async openRig(wanted) {
      showProgress(`${scenario}: starting Redis and the designs, furnishing a workspace`);
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

async function conclude(options: BenchOptions, reports: NamedReport[]): Promise<void> {
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, JSON.stringify(reports, null, 1));
  if (options.report) {
    await writeReport(REPORT_FOLDER, reports, redisVersion);
    process.stdout.write(`${REPORT_FOLDER}/bench.md is written.\n`);
  }
  const complaints = reports.flatMap(({ report }) => report.complaints);
  if (options.guard) {
    const floors: Floors = JSON.parse(await readFile(FLOORS_FILE, 'utf8'));
    complaints.push(...findFallen(floors, Object.assign({}, ...reports.map(({ report }) => report.ratios))));
    for (const complaint of complaints) process.stdout.write(`! ${complaint}\n`);
    if (complaints.length === 0) process.stdout.write('No ratio is below its floor.\n');
  }
  if (complaints.length > 0) process.exitCode = 1;
}

async function closeRigs(): Promise<void> {
  const open = [...rigs];
  rigs.clear();
  await Promise.all(open.map((rig) => rig.close()));
}

async function stopEarly(reason: string): Promise<void> {
  stopped = true;
  showProgress('');
  process.stderr.write(`Stopped by ${reason}.\n`);
  await closeRigs();
  process.exit(130);
}
