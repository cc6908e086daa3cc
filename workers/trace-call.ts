import type { WireCall } from '../src/queue/wire.ts';
import { callAttributes, queueAttributes } from '../src/tracing/attributes.ts';
import type { Trace, Tracing } from '../src/tracing/trace.ts';
import type { CallOutcome } from './executor/run.ts';

/** How a worker took a call: from which lane, when, and in a job of how many calls. */
interface Taken {
  lane: string;
  /** Ms since the epoch, by Redis' clock. */
  at: number;
  calls: number;
}

/** Starts the span of a call's run, and records how long the call has waited. Undefined for a call that is not traced. */
export function traceRun(tracing: Tracing, call: WireCall, { lane, at, calls }: Taken): Trace | undefined {
  if (call.trace === undefined) return undefined;
  const { at: since, attempt = 1 } = call.trace;
  const until = Math.max(since, at);
  const attributes = {
    ...callAttributes(call),
    ...queueAttributes('process', lane, calls),
    'messaging.message.id': call.id,
    'switchboard.attempt': attempt,
  };
  const waited = tracing.resume(call.trace, `queue ${lane}`, { since, attributes });
  waited?.end({}, { at: until });
  return tracing.resume(call.trace, `process ${lane}`, { kind: 'consumer', since: until, attributes });
}

/** Ends the span of a run, and returns when the run ended. */
export function endRun(
  trace: Trace | undefined,
  outcome: CallOutcome | null,
  now: number,
): number | undefined {
  if (trace === undefined) return undefined;
  const at = Math.max(trace.at, now);
  trace.end({ 'switchboard.status': outcome?.status ?? 504 }, { at });
  return at;
}

/** Ends the span of a run whose call goes on in the slow lane, where it waits from then on. */
export function endMoved(trace: Trace, call: WireCall, now: number): void {
  const at = Math.max(trace.at, now);
  trace.end({ 'switchboard.moved': true }, { at });
  if (call.trace !== undefined) call.trace.at = at;
}
