import type { MessengerAccount } from '../../directory/collections.ts';
import { deleteRecord } from '../../directory/delete-record.ts';
import { createRecord, patchRecord } from '../../directory/records.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';
import { deletionOverAt } from './delete-tree.ts';

/** Records an account, lets its driver seed it, and records the result. A failure leaves no account, unless this process or Redis is lost. */
export async function connectAccount(
  deps: ApiDeps,
  account: MessengerAccount,
  signal: AbortSignal,
): Promise<MessengerAccount> {
  const { redis, accounts } = deps.directory;
  await createRecord(redis, 'messenger-accounts', account, {
    limits: [undefined, undefined, deps.config.ACCOUNTS_PER_WORKSPACE],
  });
  try {
    const seeded = await seedAccount(deps, account, signal);
    return await patchRecord(redis, 'messenger-accounts', account.id, seeded);
  } catch (error) {
    await removeUnconnected(deps, account, null);
    throw error;
  } finally {
    accounts.forget(account.id);
  }
}

/** Lets an account's driver seed it, and returns the changes of its record. */
export async function seedAccount(
  { accountControl }: ApiDeps,
  account: MessengerAccount,
  signal: AbortSignal,
): Promise<Pick<MessengerAccount, 'status' | 'userId' | 'username' | 'phone'>> {
  const { userId, username, phone } = await accountControl.connectAccount(account, signal);
  return { status: 'active', userId, username, phone };
}

/**
 * Removes the record of an account that could not be connected, and has workers disconnect it: its driver may have connected it all the
 * same. Returns whether it was removed. With a `key` it stays if another request with that key has connected it meanwhile; otherwise the
 * key may make an account again.
 */
export async function removeUnconnected(
  deps: ApiDeps,
  account: MessengerAccount,
  key: string | null,
): Promise<boolean> {
  const { directory, log } = deps;
  const check = ({ status }: MessengerAccount) => {
    if (status !== 'connecting') throw new Problem('conflict');
  };
  const how = {
    children: 'erase',
    overAt: deletionOverAt(deps),
    check: key === null ? null : check,
    bulkKey: key,
  } as const;
  try {
    return await deleteRecord(directory.redis, 'messenger-accounts', account, how);
  } catch (err) {
    if (!(err instanceof Problem))
      log.warn({ err, accountId: account.id }, 'account that could not be connected is still recorded');
    return false;
  }
}
