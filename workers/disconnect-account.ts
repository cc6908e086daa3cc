import type { MessengerAccount } from '../src/directory/collections.ts';
import { newId } from '../src/ids.ts';
import { ownEntry } from '../src/ledger/entry.ts';
import { toCallingAccount } from '../src/queue/submit/account-orders.ts';
import type { RedisClock } from '../src/redis/clock.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { batchReads } from '../src/state/batch-reads.ts';
import { reserveTxids } from '../src/state/reserve.ts';
import type { Driver } from './driver.ts';
import { runCall } from './run-call.ts';

const RUN_MS = 30_000;

/** Takes an account whose record is gone away from its driver; throws where that did not happen. */
export async function disconnectAccount(
  state: RedisConnection,
  clock: RedisClock,
  drivers: ReadonlyMap<string, Driver>,
  account: MessengerAccount,
): Promise<void> {
  const driver = drivers.get(account.driver);
  if (driver === undefined) throw new Error(`no worker runs the driver ${account.driver}`);
  const { id: accountId, workspaceId } = account;
  const id = newId('call');
  const now = clock.now();
  const notAfter = now + RUN_MS;
  const reservation = reserveTxids(state, workspaceId, 1);
  const outcome = await runCall(
    {
      id,
      workspaceId,
      account: { ...toCallingAccount(account), faults: false },
      driver: account.driver,
      method: 'disconnectAccount',
      kind: 'order',
      params: { accountId },
      acceptedAt: now,
      notAfter,
    },
    {
      state,
      reads: batchReads(state),
      driver,
      entry: ownEntry({ id, workspaceId, notAfter }),
      txid: (await reservation).first,
      reservation,
      signal: new AbortController().signal,
      crashFaults: false,
      now,
      again: true,
      startedAt: performance.now(),
    },
    true,
  );
  if (outcome.status !== 200) throw new Error('the account was not disconnected', { cause: outcome.error });
}
