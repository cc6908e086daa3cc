import type { Logger } from '../logger.ts';
import type { Problem } from '../problem.ts';
import type { MessengerAccount } from '../store/collections.ts';

/**
 * Logs a call that failed in the API tier. Workers log what fails with them; this is for calls that never got there or were
 * not heard of again.
 */
export function noteFailure(
  log: Logger,
  call: { id: string; method: string; account: MessengerAccount },
  { status, code }: Problem,
): void {
  const { workspaceId, id: messengerAccountId } = call.account;
  log.info(
    { callId: call.id, method: call.method, workspaceId, messengerAccountId, txid: null, status, code },
    'call failed',
  );
}
