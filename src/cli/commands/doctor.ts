import { join } from 'node:path';
import type { Command } from 'commander';
import { toClusterAddress } from '../../redis-address.ts';
import { examineApi } from '../doctor/examine-api.ts';
import { examineDataDir } from '../doctor/examine-data-dir.ts';
import { type Finding, fail } from '../doctor/finding.ts';
import { action, type Context } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { dataDirName, findDataDir, type Settings } from '../setup/settings.ts';
import { ReportedFailure, UsageError } from '../terminal/failures.ts';
import { visibleLine } from '../terminal/visible.ts';

const STYLES = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** `switchboard doctor`: what is wrong, and how to mend it. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('say what is wrong and how to mend it')
    .description(
      "Looks at the data folder of this folder's `npm start`, at the API, at the key and, where its address is known, at Redis, and says how to mend what is wrong. Changes nothing.",
    )
    .option(
      '--redis <url>',
      'address of Redis, else that of REDIS_URL, of REDIS_CLUSTER, or of the `npm start` of this folder; others see a password given here in the list of processes',
    )
    .addHelpText(
      'after',
      examples(
        'doctor',
        'doctor --redis redis://127.0.0.1:6379',
        'doctor --url https://switchboard.example.com --json',
      ),
    )
    .action(action((context) => examine(context)));
}

async function examine(context: Context): Promise<void> {
  const { options, out } = context;
  const counts = { ok: 0, warn: 0, fail: 0 };
  const show = (finding: Finding) => {
    counts[finding.level] += 1;
    showFinding(out, finding);
  };
  for (const finding of examineDataDir(dataDirName())) show(finding);
  const settings = settingsOf(context);
  if (settings instanceof UsageError)
    show(fail(settings.message, 'Correct that first: the API and the key are not looked at.'));
  else for await (const finding of examineApi(settings)) show(finding);
  const address = await findRedis(options.redis).catch((error: Error) => {
    show(
      fail(`The address of Redis cannot be read: ${error.message}.`, 'Give it with --redis or REDIS_URL.'),
    );
    return null;
  });
  if (address === null) out.note('Redis is not looked at: give its address with --redis or REDIS_URL.');
  else {
    // Loaded only here: no other command needs the Redis packages.
    const { examineRedis } = await import('../doctor/examine-redis.ts');
    for await (const finding of examineRedis(address)) show(finding);
  }
  out.note(`${counts.ok} ok, ${counts.warn} to think about, ${counts.fail} to mend`);
  if (counts.fail > 0) throw new ReportedFailure();
}

function settingsOf(context: Context): Settings | UsageError {
  try {
    return context.settings;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

function showFinding(out: Context['out'], finding: Finding): void {
  if (out.isJson) {
    out.json(finding);
    return;
  }
  const { level, found } = finding;
  out.line(`${out.style(STYLES[level], level.padEnd(4))}  ${visibleLine(found)}`);
  if (finding.level !== 'ok') out.line(`      ${out.style('bold', '->')} ${finding.mend}`);
}

async function findRedis(given: unknown): Promise<string | null> {
  const { REDIS_URL: url, REDIS_CLUSTER: nodes } = process.env;
  if (typeof given === 'string') return given;
  if (url) return url;
  if (nodes) {
    const address = toClusterAddress(nodes);
    if (address === null) throw new Error('REDIS_CLUSTER is not a list of nodes');
    return address;
  }
  const { findPrivateRedis } = await import('../../launch/private-redis/find-private-redis.ts');
  const folder = findDataDir();
  return folder === null ? null : findPrivateRedis(join(folder, 'redis'));
}
