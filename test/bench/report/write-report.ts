import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { renderChart } from './chart.ts';
import { renderMarkdownTable } from './render-table.ts';
import type { ScenarioReport } from './report.ts';
import { summaryTable } from './summary-table.ts';

/** A scenario's report under its name. */
export interface NamedReport {
  name: string;
  summary: string;
  report: ScenarioReport;
}

/** Writes the reports as a page with its charts into a folder. */
export async function writeReport(
  folder: string,
  reports: NamedReport[],
  { redisVersion, quick }: { redisVersion: string; quick: boolean },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const findings = reports.flatMap(({ report }) => report.findings);
  const sections = [renderMarkdownTable(summaryTable(findings)).replace('###', '##')];
  for (const { name, summary, report } of reports) {
    sections.push(`## ${name}: ${summary}`, report.about);
    for (const chart of report.charts) {
      await writeFile(join(folder, chart.file), renderChart(chart));
      sections.push(`![${chart.title}](${chart.file})`);
    }
    sections.push(...report.tables.map(renderMarkdownTable));
    if (report.complaints.length > 0)
      sections.push(report.complaints.map((complaint) => `- **${complaint}**`).join('\n'));
  }
  await writeFile(join(folder, 'bench.md'), `${[head(redisVersion, quick), ...sections].join('\n\n')}\n`);
}

function head(redisVersion: string, quick: boolean): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `# What \`npm run bench -- ${quick ? '--quick ' : ''}--report\` measured

[How to read it.](../performance.md)

${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, Redis ${redisVersion} (append-only file, \`everysec\`), ${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${memory} GB; Redis, all processes and the load share the machine.

Switchboard, the usual design (\`queue.add\` and \`waitUntilFinished\`) and no queue at all (the API process runs the method) share the HTTP app, keys, validation, methods, ledger, updates and Redis. Rounds take turns; figures are medians, ratios are medians of rounds next to each other, ± is half the distance of the extremes. CPU µs are of API, worker and Redis together, per call.`;
}
