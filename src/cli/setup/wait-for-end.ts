import type { CallRecord } from '../../client/records.ts';
import { ReportedFailure } from '../terminal/failures.ts';
import { type Context, secondsOf } from './context.ts';

const WAIT_SECONDS = 30;
// How long an answer may take to arrive.
const GRACE_SECONDS = 10;

/** Waits for the end of an async call, for as long as --timeout says. If it has not ended by then, shows its state and fails. */
export async function waitForEnd(context: Context, id: string): Promise<CallRecord> {
  const { options, out, http } = context;
  const seconds = secondsOf(options.timeout);
  const endsAt = performance.now() + seconds * 1_000;
  for (;;) {
    const left = Math.floor((endsAt - performance.now()) / 1_000);
    const wait = Math.max(0, Math.min(WAIT_SECONDS, left - 1));
    const timeoutMs = Math.max(seconds, wait + GRACE_SECONDS) * 1_000;
    const path = `/v1/calls/${encodeURIComponent(id)}?wait=${wait}`;
    const limits = { timeoutMs, attemptTimeoutMs: timeoutMs };
    const { body: call } = await http.request<CallRecord>({ method: 'GET', path }, limits);
    if (call.status !== 'queued' && call.status !== 'running') return call;
    if (wait > 0) continue;
    out.record(call);
    out.note(`It has not ended within ${seconds} s. To wait on: switchboard calls ${id} --wait`);
    throw new ReportedFailure();
  }
}
