import { styleText } from 'node:util';
import { CommanderError } from 'commander';
import { ApiError, NoAnswerError, SwitchboardError } from '../../client/errors.ts';
import { leavesInDoubt } from '../../client/http/retry.ts';
import { visible, visibleJson } from './visible.ts';

/** The exit codes of the command line. */
export const EXIT = { ok: 0, problem: 1, usage: 2, noAnswer: 3, defect: 4 } as const;

/** The command cannot be run as it was given. The message says what to write. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command has already reported what is wrong. */
export class ReportedFailure extends Error {
  override name = 'ReportedFailure';
}

/** Reports on standard error why a command failed, and returns its exit code. */
export function reportFailure(error: unknown, isJson: boolean): number {
  // Commander has reported it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof ReportedFailure) return EXIT.problem;
  if (error instanceof ApiError && isJson) say(visibleJson(error.problem));
  else if (error instanceof SwitchboardError || error instanceof UsageError) say(red(visible(error.message)));
  else say(visible(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  if (error instanceof SwitchboardError) suggestNextStep(error);
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof ApiError) return EXIT.problem;
  return error instanceof NoAnswerError ? EXIT.noAnswer : EXIT.defect;
}

/**
 * Reports that the output cannot be written, and what is not done because of that, and returns the exit code. A reader that has seen
 * enough, such as `head`, is no failure if nothing was left to do.
 */
export function reportLostOutput(
  { code, message }: NodeJS.ErrnoException,
  undone: string | null = null,
): number {
  if (code === 'EPIPE' && undone === null) return EXIT.ok;
  say(red(visible(`The output cannot be written: ${message}`)));
  if (undone !== null) say(visible(undone));
  return EXIT.problem;
}

function suggestNextStep(error: SwitchboardError): void {
  if (leavesInDoubt(error) && error.idempotencyKey !== undefined)
    say(`It may have taken effect. To find out, repeat it with --idempotency-key ${error.idempotencyKey}`);
  else if (error instanceof NoAnswerError)
    say('Is it running, and is the address right? `switchboard doctor` looks further.');
  // The API names requests; here a command does the same.
  if (error.message.includes('GET /v1/methods?search='))
    say('On the command line: `switchboard methods --search "some words"`.');
  const [, method] = /\bGET \/v1\/methods\/([\w.]+)\.(?:\s|$)/.exec(error.message) ?? [];
  if (method !== undefined) say(`On the command line: \`switchboard methods ${method}\`.`);
  const [, list] = /\bGET \/v1\/([a-z-]+) lists\b/.exec(error.message) ?? [];
  if (list !== undefined) say(`On the command line: \`switchboard list ${list}\`.`);
}

function red(text: string): string {
  return styleText('red', text, { stream: process.stderr });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
