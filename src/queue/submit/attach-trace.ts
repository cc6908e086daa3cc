import { queueAttributes } from '../../tracing/attributes.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { WireCall } from '../wire.ts';

/** Records in a trace that its call is sent, in a job of `calls` calls, and attaches the trace to the call. */
export function attachTrace(call: WireCall, trace: Trace, lane: string, calls: number): void {
  trace.hop(`send ${lane}`, { kind: 'producer', attributes: queueAttributes('send', lane, calls) });
  call.trace = { ...trace.context, at: trace.at };
}
