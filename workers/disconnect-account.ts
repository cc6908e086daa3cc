import type { MessengerAccount } from '../src/directory/collections.ts';
import { newId } from '../src/ids.ts';
import { toCallingAccount } from '../src/queue/wire.ts';
import type { RedisClock } from '../src/redis/clock.ts';
import type { CallExecutor } from './executor/call-executor.ts';

const RUN_MS = 30_000;

/** Disconnects from its driver an account whose record was deleted. Throws if that fails. */
export async function disconnectAccount(
  executor: CallExecutor,
  clock: RedisClock,
  account: MessengerAccount,
): Promise<void> {
  const { id: accountId, workspaceId, driver } = account;
  const acceptedAt = clock.now();
  const order = {
    id: newId('call'),
    number: 0,
    workspaceId,
    account: { ...toCallingAccount(account), faults: false },
    driver,
    method: 'disconnectAccount',
    kind: 'order' as const,
    params: { accountId },
    acceptedAt,
    notAfter: acceptedAt + RUN_MS,
  };
  const { status, error } = await executor.runAlone(order, true);
  if (status !== 200) throw new Error('the account was not disconnected', { cause: error });
}
