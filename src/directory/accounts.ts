import { isId } from '../ids.ts';
import type { RedisConnection } from '../redis/connections.ts';
import type { MessengerAccount, Workspace } from './collections.ts';
import { type Freshness, LookupCache } from './lookup-cache.ts';
import { findRecord } from './records.ts';

/** How many calls may be under way at once, over all API processes; null for any number. */
export interface CallCaps {
  workspace: number | null;
  account: number | null;
}

/** An account with the caps on its calls; null where there is none, so that nothing has to be looked at. */
export interface CallableAccount extends MessengerAccount {
  caps: CallCaps | null;
}

const REMEMBERED_ACCOUNTS = 50_000;

// A worker runs few calls that take long at once; one account must not have them all.
const SLOW_CALLS_PER_ACCOUNT = 16;

/** Messenger accounts as calls look them up: from memory where possible, half a second old at most. */
export class Accounts {
  private readonly known: LookupCache<CallableAccount>;

  constructor(redis: RedisConnection, freshness: Freshness) {
    const load = async (id: string) => {
      const account = await findRecord(redis, 'messenger-accounts', id);
      if (account === null) return null;
      const workspace = await findRecord(redis, 'workspaces', account.workspaceId);
      if (workspace === null) return null;
      return { ...account, caps: capsOf(account, workspace) };
    };
    this.known = new LookupCache(load, REMEMBERED_ACCOUNTS, freshness);
  }

  /** The account if it belongs to the workspace, null if not; undefined when `find` has to be asked. */
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

  /** Forgets an account that this process has changed or deleted. */
  forget(accountId: string): void {
    this.known.forget(accountId);
  }

  /** Forgets what is remembered, after accounts went together with what they belonged to. */
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
