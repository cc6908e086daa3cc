import type { Logger } from '../../logger.ts';
import type { Problem } from '../../problem.ts';
import { mayLogLine } from '../../tenant-lines.ts';
import type { Trace } from '../../tracing/trace.ts';
import { traceIdOf } from '../../tracing/trace-context.ts';

// A log line per refused call would cost more than refusing it.
const UNLOGGED = new Set(['overloaded', 'rate_limited', 'answers_too_large', 'paused']);

/** The parts of a call that the log shows. */
interface FailedCall {
  id: string;
  method: string;
  workspaceId: string;
  account: { id: string };
  trace?: Trace | undefined;
}

/**
 * Logs a call that failed in the API tier: it never reached a worker, or its reply was lost. Workers log the rest. Does
 * not log the codes in `UNLOGGED`, nor more lines a second than a workspace may have.
 */
export function logFailure(
  log: Logger,
  { id: callId, method, workspaceId, account, trace }: FailedCall,
  { status, code, cause }: Problem,
): void {
  if (UNLOGGED.has(code) || !mayLogLine(log, workspaceId)) return;
  const isUnserved = code === 'unavailable';
  log[isUnserved ? 'warn' : 'info'](
    {
      ...{ callId, method, workspaceId, messengerAccountId: account.id, txid: null, status, code },
      ...traceIdOf(trace?.context),
      ...(isUnserved && cause !== undefined ? { err: cause } : {}),
    },
    'call failed',
  );
}
