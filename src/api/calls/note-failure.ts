import type { MessengerAccount } from '../../directory/collections.ts';
import type { Logger } from '../../logger.ts';
import type { Problem } from '../../problem.ts';

// Callers who ask for too much are told so one by one; a line of log for each would cost more than refusing them.
const REFUSED = new Set(['overloaded', 'rate_limited', 'answers_too_large']);

/**
 * Logs a call that failed in the API tier. Workers log what fails with them; this is for calls that never got there or were
 * not heard of again. Those that were refused as too many are not logged.
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
