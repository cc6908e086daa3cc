import type { MessengerAccount } from '../../directory/collections.ts';
import type { Logger } from '../../logger.ts';
import type { Problem } from '../../problem.ts';

// A log line per refused call would cost more than refusing it.
const REFUSED = new Set(['overloaded', 'rate_limited', 'answers_too_large']);

/**
 * Logs a call that failed in the API tier: it never reached a worker, or its reply was lost. Workers log the rest. Calls
 * refused as too many are not logged.
 */
export function noteFailure(
  log: Logger,
  call: { id: string; method: string; account: MessengerAccount },
  { status, code }: Problem,
): void {
  if (REFUSED.has(code)) return;
  const { workspaceId, id: messengerAccountId } = call.account;
  log.info(
    { callId: call.id, method: call.method, workspaceId, messengerAccountId, txid: null, status, code },
    'call failed',
  );
}
