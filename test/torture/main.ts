import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showProgress } from '../bench/show-progress.ts';
import { checkChurn } from './check/check-churn.ts';
import { checkHistory } from './check/check-history.ts';
import { RULES } from './check/violation.ts';
import { readHistory, saveHistory } from './history.ts';
import { HELP, readOptions, type TortureOptions } from './options.ts';
import { renderSummary } from './render-summary.ts';
import { runTorture } from './run-torture.ts';

try {
  await main();
} catch (error) {
  showProgress('');
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
process.exit();

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(HELP);
  else if (options.check !== undefined) await checkKept(options.check, options.churn);
  else await run(options);
}

async function run(options: TortureOptions): Promise<void> {
  const { seed, minutes, rate, kinds, churn, defect, verbose } = options;
  process.stdout.write(`seed ${seed}\n`);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const print = (text: string) => {
    showProgress('');
    process.stdout.write(`${text}\n`);
  };
  const outcome = await runTorture(
    { seed, minutes, rate, kinds, churn, defect },
    { say: showProgress, signal: stop.signal, ...(verbose && { tell: print }) },
  );
  print(renderSummary(outcome));
  const faults = churn ? checkChurn(outcome.history) : [];
  for (const fault of faults) process.stdout.write(`\n! ${fault}\n`);
  const isKept = outcome.violations.length === 0;
  if (isKept) process.stdout.write(`\nseed ${seed}: every promise was kept\n`);
  if (isKept && faults.length === 0) return;
  const file = join(tmpdir(), `switchboard-torture-${seed}-${process.pid}.jsonl`);
  await saveHistory(file, { seed, minutes, rate, kinds, defect }, outcome.history);
  const what = isKept ? 'callers noticed the churn' : 'promises were broken';
  process.stdout.write(`\nseed ${seed}: ${what}; the history is kept in ${file}\n`);
  process.exitCode = 1;
}

async function checkKept(file: string, churn: boolean): Promise<void> {
  const history = await readHistory(file);
  const violations = checkHistory(history);
  const faults = churn ? checkChurn(history) : [];
  for (const { rule, what } of violations) process.stdout.write(`! ${RULES[rule]}: ${what}\n`);
  for (const fault of faults) process.stdout.write(`! ${fault}\n`);
  process.stdout.write(`${violations.length} violations\n`);
  if (violations.length + faults.length > 0) process.exitCode = 1;
}
