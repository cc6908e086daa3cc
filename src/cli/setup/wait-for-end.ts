import { isCall } from '../../client/calls/async-call.ts';
import { NoAnswerError, SwitchboardError } from '../../client/errors.ts';
import { mayPass, retryAfterOf, waitAfter } from '../../client/http/retry.ts';
import { notOfApi } from '../../client/http/send.ts';
import { sleep } from '../../client/http/sleep.ts';
import type { CallRecord } from '../../client/records.ts';
import { ReportedFailure } from '../terminal/failures.ts';
import { type Context, secondsOf } from './context.ts';

const WAIT_SECONDS = 30;
// How long an answer may take to arrive.
const GRACE_MS = 10_000;

/**
 * Waits for the end of an async call, for as long as --timeout says. If it has not ended by then, shows its state and fails. An API that
 * is away, or asks for patience, such as one at which others wait already, is asked again in that time.
 */
export async function waitForEnd(context: Context, id: string): Promise<CallRecord> {
  const { options, out } = context;
  const seconds = secondsOf(options.timeout);
  const endsAt = performance.now() + seconds * 1_000;
  for (let failures = 0; ; ) {
    const left = Math.max(0, endsAt - performance.now());
    const wait = Math.min(WAIT_SECONDS, Math.floor(left / 1_000));
    const answer = await askFor(context, id, wait, left + GRACE_MS);
    if (answer instanceof SwitchboardError) {
      failures += 1;
      const pauseMs = Math.max(waitAfter(failures), retryAfterOf(answer));
      if (pauseMs >= endsAt - performance.now()) throw answer;
      await sleep(pauseMs);
      continue;
    }
    failures = 0;
    if (answer.status !== 'queued' && answer.status !== 'running') return answer;
    if (left > 0) {
      // The API waits for whole seconds only.
      if (wait === 0) await sleep(Math.max(0, endsAt - performance.now()));
      continue;
    }
    out.record(answer);
    out.note(`It has not ended within ${seconds} s. To wait on: switchboard calls ${id} --wait`);
    throw new ReportedFailure();
  }
}

/** The call once it has ended, or as it is after `wait` seconds; or a failure after which the API may answer later. */
async function askFor(
  { http }: Context,
  id: string,
  wait: number,
  timeoutMs: number,
): Promise<CallRecord | SwitchboardError> {
  const path = `/v1/calls/${encodeURIComponent(id)}?wait=${wait}`;
  const limits = { timeoutMs, attemptTimeoutMs: wait * 1_000 + GRACE_MS };
  const answer = await http.request<CallRecord>({ method: 'GET', path }, limits).catch(toPassing);
  if (answer instanceof SwitchboardError) return answer;
  if (!isCall(answer.body ?? {})) throw new NoAnswerError(notOfApi());
  return answer.body;
}

/** The failure of a request that may succeed later; throws any other error. */
function toPassing(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError && mayPass(error)) return error;
  throw error;
}
