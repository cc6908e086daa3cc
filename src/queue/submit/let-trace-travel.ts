import { queueAttributes } from '../../tracing/attributes.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { WireCall } from '../wire.ts';

/** Notes in a trace that its call is sent, in a job of so many calls, and lets it travel with the call. */
export function letTravel(call: WireCall, trace: Trace, lane: string, calls: number): void {
  trace.hop(`send ${lane}`, { kind: 'producer', attributes: queueAttributes('send', lane, calls) });
  call.trace = { ...trace.context, at: trace.at };
}
