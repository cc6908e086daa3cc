import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { NamedReport } from '../scenario.ts';
import { renderChart } from './chart.ts';
import { renderPage } from './render-page.ts';
import { toResults } from './results.ts';

/** Writes the reports into a folder: a page with its charts, and the figures as JSON. */
export async function writeReport(
  folder: string,
  reports: NamedReport[],
  { redisVersion, quick }: { redisVersion: string; quick: boolean },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const chart of reports.flatMap(({ report }) => report.charts))
    await writeFile(join(folder, chart.file), renderChart(chart));
  const date = new Date().toISOString().slice(0, 10);
  const results = toResults(reports, { date, machine: describeMachine(redisVersion), quick });
  await writeFile(join(folder, 'bench.json'), `${JSON.stringify(results, null, 1)}\n`);
  await writeFile(join(folder, 'bench.md'), renderPage(results));
}

function describeMachine(redisVersion: string): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const redis = `Redis ${redisVersion} (append-only file, \`everysec\`)`;
  return `Node ${process.versions.node}, ${redis}, ${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${memory} GB`;
}
