import type { MessengerAccount } from '../../directory/collections.ts';
import { patchRecord } from '../../directory/records.ts';
import type { ApiDeps } from '../deps.ts';

type FaultMarks = Pick<MessengerAccount, 'faults' | 'lane'>;

/** The lane for the calls of an account with these faults. */
export function laneFor(faults: readonly { delayMs?: number }[]): MessengerAccount['lane'] {
  return faults.some(({ delayMs }) => delayMs !== undefined) ? 'slow' : 'shared';
}

/** Marks a sandbox account as one with faults, or with none. The faults of an unmarked account are not looked for. */
export async function markFaults(
  { directory }: Pick<ApiDeps, 'directory'>,
  { id }: MessengerAccount,
  marks: FaultMarks,
): Promise<void> {
  await patchRecord(directory.redis, 'messenger-accounts', id, marks);
  directory.accounts.forget(id);
}

/** Marks a sandbox account as one without faults, after these have been removed. */
export async function removeFaultMark(
  deps: Pick<ApiDeps, 'directory' | 'accountControl'>,
  account: MessengerAccount,
  signal: AbortSignal,
): Promise<void> {
  await markFaults(deps, account, { faults: false, lane: 'shared' });
  // Another request may have set faults, and marked the account, just before.
  const { faults } = (await deps.accountControl.control(account, 'getFaults', {}, signal)) as {
    faults: { delayMs?: number }[];
  };
  if (faults.length > 0) await markFaults(deps, account, { faults: true, lane: laneFor(faults) });
}
