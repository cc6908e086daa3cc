import type { Config } from '../config.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Accounts } from './accounts.ts';
import { API_KEY_SCRIPTS, ApiKeys } from './api-keys.ts';
import { BULK_ACCOUNT_SCRIPTS } from './bulk/accounts.ts';
import { CursorSealer } from './cursor.ts';
import type { Publish } from './data-watch.ts';
import { DELETE_SCRIPTS } from './delete-record.ts';
import { DirectoryWatch } from './directory-watch.ts';
import { LIST_SCRIPTS } from './lists.ts';
import type { Freshness } from './lookup-cache.ts';
import { RECORD_SCRIPTS } from './records.ts';
import { openSecret } from './secret.ts';
import { SecretBox } from './secret-box.ts';

/** The directory: organizations, workspaces, accounts, API keys and webhooks, with the caches of this process. */
export interface Directory {
  redis: RedisConnection;
  cursors: CursorSealer;
  box: SecretBox;
  apiKeys: ApiKeys;
  accounts: Accounts;
  /** Tells whether something read earlier is still fresh. */
  freshness: Freshness;
  close(): void;
}

const SCRIPTS = [
  ...RECORD_SCRIPTS,
  ...DELETE_SCRIPTS,
  ...LIST_SCRIPTS,
  ...API_KEY_SCRIPTS,
  ...BULK_ACCOUNT_SCRIPTS,
];

/** Opens the directory on a connection of the role `request`. */
export async function openDirectory(
  redis: RedisConnection,
  config: Pick<Config, 'SWITCHBOARD_SECRET'>,
  rootKey: string,
  publish: Publish,
  log: { error(message: string): void },
): Promise<Directory> {
  await loadDirectoryScripts(redis);
  const secret = await openSecret(redis, config.SWITCHBOARD_SECRET, publish, log);
  const watch = new DirectoryWatch(redis);
  return {
    redis,
    cursors: new CursorSealer(secret),
    box: new SecretBox(secret),
    apiKeys: new ApiKeys(redis, rootKey, watch),
    accounts: new Accounts(redis, watch),
    freshness: watch,
    close: () => watch.stop(),
  };
}

/** Loads every script of the directory into Redis. */
export async function loadDirectoryScripts(redis: RedisConnection): Promise<void> {
  await Promise.all(SCRIPTS.map((script) => script.load(redis)));
}
