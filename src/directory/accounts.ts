import { isId } from '../ids.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { withMembers } from '../with-members.ts';
import type { MessengerAccount, Workspace } from './collections.ts';
import { type Freshness, LookupCache } from './lookup-cache.ts';
import { findRecord } from './records.ts';

/** The most calls in flight, over all API processes; null for no cap. */
export interface CallCaps {
  workspace: number | null;
  account: number | null;
}

/** An account with the caps on its calls; null if it has none, so that calls without a cap cost one comparison. */
export interface CallableAccount extends MessengerAccount {
  caps: CallCaps | null;
}

const REMEMBERED_ACCOUNTS = 50_000;

// A worker runs only some long calls at once; one account must not use all of its permits.
const SLOW_CALLS_PER_ACCOUNT = 16;

/** Messenger accounts for calls: from a cache if possible, at most half a second old. */
export class Accounts {
  private readonly known: LookupCache<CallableAccount>;

  constructor(redis: RedisConnection, freshness: Freshness) {
    const load = async (id: string) => {
      const account = await findRecord(redis, 'messenger-accounts', id);
      if (account === null) return null;
      const workspace = await findRecord(redis, 'workspaces', account.workspaceId);
      if (workspace === null) return null;
      return withMembers(account, { caps: capsOf(account, workspace) });
    };
    this.known = new LookupCache(load, REMEMBERED_ACCOUNTS, freshness);
  }

  /** The account if it belongs to the workspace, null if not; undefined if `find` has to look it up. */
  peek(workspaceId: string, accountId: string): CallableAccount | null | undefined {
    const account = this.known.peek(accountId);
    if (account !== undefined) return ofWorkspace(account, workspaceId);
    return isId('messengerAccount', accountId) ? undefined : null;
  }

  /** The account if it belongs to the workspace, or null. */
  async find(workspaceId: string, accountId: string): Promise<CallableAccount | null> {
    if (!isId('messengerAccount', accountId)) return null;
    return ofWorkspace(await this.known.find(accountId), workspaceId);
  }

  /** Removes an account that this process has changed or deleted from the cache. */
  forget(accountId: string): void {
    this.known.forget(accountId);
  }

  /** Empties the cache, after accounts were deleted together with their workspace or organization. */
  forgetAll(): void {
    this.known.clear();
  }
}

function capsOf({ lane, maxConcurrentCalls }: MessengerAccount, owner: Workspace): CallCaps | null {
  const workspace = owner.maxConcurrentCalls;
  const account =
    lane === 'slow'
      ? Math.min(maxConcurrentCalls ?? SLOW_CALLS_PER_ACCOUNT, SLOW_CALLS_PER_ACCOUNT)
      : maxConcurrentCalls;
  return workspace === null && account === null ? null : { workspace, account };
}

function ofWorkspace(account: CallableAccount | null, workspaceId: string): CallableAccount | null {
  return account?.workspaceId === workspaceId ? account : null;
}
