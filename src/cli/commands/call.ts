import type { Command } from 'commander';
import { newIdempotencyKey } from '../../client/calls/idempotency-key.ts';
import { makeAsyncCall, makeCall } from '../../client/calls/make-call.ts';
import { ApiError, SwitchboardError } from '../../client/errors.ts';
import { toApiError } from '../../client/http/read-problem.ts';
import type { CallRecord } from '../../client/records.ts';
import type { MethodName } from '../../tl/tl-json.ts';
import { action, type Context, needAccount } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { readParams, withoutGuesses } from '../setup/params.ts';
import { timeAhead } from '../setup/times.ts';
import { waitForEnd } from '../setup/wait-for-end.ts';
import { UsageError } from '../terminal/failures.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;

interface CallOptions {
  async?: boolean;
  wait?: boolean;
  scheduleAt?: string;
  expiresAt?: string;
  idempotencyKey?: string;
  validate?: boolean;
}

/** `switchboard call`: calls a method. */
export function addCallCommand(program: Command): void {
  program
    .command('call')
    .summary('call a method of an account')
    .description(
      'Calls a method of a messenger account and prints what it gives. A value of name=value is JSON if it reads as that, else text.',
    )
    .argument('<method>', 'its name, such as messages.sendMessage')
    .argument('[params...]', 'JSON, name=value, name.member=value, @file, or - for standard input')
    .option('--async', 'have it recorded and run later; prints JSON with its id and status')
    .option('--wait', 'with --async: wait for its end, as long as --timeout says')
    .option('--schedule-at <time>', 'with --async: not before, such as 5m from now or 2027-01-01T12:00:00Z')
    .option('--expires-at <time>', 'with --async: not after')
    .option('--idempotency-key <key>', 'its repeats with this key, within 24 hours, take effect once')
    .option('--validate', 'check it, and do not make it')
    .addHelpText(
      'after',
      examples(
        'call help.getSupport',
        "call messages.sendMessage peer._=inputPeerSelf message='Hello there'",
        `call messages.readMessageContents '{"id":[1,2]}' --account acc_…`,
        'call messages.sendMessage @message.json --async --schedule-at 1h',
        'calls cancel call_…',
      ),
    )
    .action(
      action(async (context, method: string, words: string[]) => {
        const given = await readParams(words);
        const run = await prepareCall(context, method as MethodName, context.options);
        try {
          context.out.json(await run(given.params));
        } catch (error) {
          const corrected = withoutGuesses(given, wrongPointersOf(error));
          if (corrected === null) throw error;
          context.out.json(await run(corrected));
        }
      }),
    );
}

async function prepareCall(
  context: Context,
  method: MethodName,
  options: CallOptions,
): Promise<(params: object) => Promise<unknown>> {
  const { http } = context;
  const place = await needAccount(context);
  const { idempotencyKey = newIdempotencyKey() } = options;
  if (!KEY.test(idempotencyKey))
    throw new UsageError('--idempotency-key takes 1 to 255 printable ASCII characters.');
  const isAsync = options.async === true;
  if (!isAsync && (options.wait || options.scheduleAt !== undefined || options.expiresAt !== undefined))
    throw new UsageError('--wait, --schedule-at and --expires-at go with --async: add it.');
  if (options.validate) {
    const ids = [place.workspaceId, place.accountId, method].map(encodeURIComponent);
    const path = `/workspaces/${ids[0]}/messenger-accounts/${ids[1]}/call/${ids[2]}?validate=only`;
    return async (params) => (await http.request({ method: 'POST', path, body: { params } }, {})).body;
  }
  if (!isAsync) return (params) => makeCall(http, { ...place, method, params, idempotencyKey }, {});
  const times = { scheduleAt: timeOf(options.scheduleAt), expiresAt: timeOf(options.expiresAt) };
  return async (params) => {
    const call = await makeAsyncCall(http, { ...place, method, params, idempotencyKey }, times);
    if (!options.wait) return { id: call.id, status: 'queued' };
    const { status, result, txid, error } = await waitForRecorded(context, call.id);
    if (status !== 'succeeded' && error !== null) throw toApiError(error);
    return { result, txid };
  };
}

/** Waits for the end of a call that was made just now: without an answer, nothing else would have named it. */
async function waitForRecorded(context: Context, id: string): Promise<CallRecord> {
  return waitForEnd(context, id).catch((error) => {
    if (error instanceof SwitchboardError)
      process.stderr.write(`The call is recorded. To wait on: switchboard calls ${id} --wait\n`);
    throw error;
  });
}

/** The pointers of invalid params. */
function wrongPointersOf(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.code !== 'invalid_params') return [];
  return (error.problem.errors ?? []).map(({ pointer }) => pointer);
}

function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(timeAhead(text));
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(`${text} is no time: write it like 5m, or 2027-01-01T12:00:00Z.`);
}
