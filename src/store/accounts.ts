import { isId } from '../ids.ts';
import type { RedisConnection } from '../redis/connections.ts';
import type { MessengerAccount } from './collections.ts';
import { LookupCache } from './lookup-cache.ts';
import { findRecord } from './records.ts';

const REMEMBERED_ACCOUNTS = 50_000;

/** Messenger accounts as calls look them up: from memory where possible, half a second old at most. */
export class Accounts {
  private readonly known: LookupCache<MessengerAccount>;

  constructor(redis: RedisConnection) {
    this.known = new LookupCache((id) => findRecord(redis, 'messenger-accounts', id), REMEMBERED_ACCOUNTS);
  }

  /** The account if it belongs to the workspace, null if not; undefined when `find` has to be asked. */
  peek(workspaceId: string, accountId: string): MessengerAccount | null | undefined {
    if (!isId('messengerAccount', accountId)) return null;
    const account = this.known.peek(accountId);
    return account === undefined ? undefined : ofWorkspace(account, workspaceId);
  }

  /** The account if it belongs to the workspace, or null. */
  async find(workspaceId: string, accountId: string): Promise<MessengerAccount | null> {
    if (!isId('messengerAccount', accountId)) return null;
    return ofWorkspace(await this.known.find(accountId), workspaceId);
  }

  /** Forgets an account that this process has changed or deleted. */
  forget(accountId: string): void {
    this.known.forget(accountId);
  }
}

function ofWorkspace(account: MessengerAccount | null, workspaceId: string): MessengerAccount | null {
  return account?.workspaceId === workspaceId ? account : null;
}
