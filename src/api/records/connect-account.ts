import type { MessengerAccount } from '../../directory/collections.ts';
import { type ChildPolicy, deleteRecord } from '../../directory/delete-record.ts';
import { createRecord, patchRecord } from '../../directory/records.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';

/** Records an account, lets its driver seed it, and records the result. A failure leaves no account. */
export async function connectAccount(
  deps: ApiDeps,
  account: MessengerAccount,
  signal: AbortSignal,
): Promise<MessengerAccount> {
  const { redis, accounts } = deps.directory;
  await createRecord(redis, 'messenger-accounts', account, {
    limits: [undefined, undefined, deps.config.ACCOUNTS_PER_WORKSPACE],
  });
  let isSeeded = false;
  try {
    const seeded = await seedAccount(deps, account, signal);
    isSeeded = true;
    return await patchRecord(redis, 'messenger-accounts', account.id, seeded);
  } catch (error) {
    await removeUnconnected(deps, account, isSeeded ? 'erase' : 'refuse');
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
 * Removes the record of an account that could not be connected; with `erase`, workers disconnect it from its driver. Returns whether it was
 * removed: it stays if another request with the same key has connected it meanwhile.
 */
export async function removeUnconnected(
  { directory, log }: ApiDeps,
  account: MessengerAccount,
  children: ChildPolicy = 'refuse',
): Promise<boolean> {
  let isConnected = false;
  const check = ({ status }: MessengerAccount) => {
    isConnected = status !== 'connecting';
    if (isConnected) throw new Problem('conflict');
  };
  try {
    return await deleteRecord(directory.redis, 'messenger-accounts', account, { children, check });
  } catch (err) {
    if (!isConnected)
      log.warn({ err, accountId: account.id }, 'account that could not be connected is still recorded');
    return false;
  }
}
