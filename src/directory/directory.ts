import type { Config } from '../config.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Accounts } from './accounts.ts';
import { API_KEY_SCRIPTS, ApiKeys } from './api-keys.ts';
import { CursorSealer } from './cursor.ts';
import type { Publish } from './data-watch.ts';
import { DELETE_SCRIPTS } from './delete-record.ts';
import { DirectoryWatch } from './directory-watch.ts';
import { LIST_SCRIPTS } from './lists.ts';
import type { Freshness } from './lookup-cache.ts';
import { RECORD_SCRIPTS } from './records.ts';
import { openSecret } from './secret.ts';
import { SecretBox } from './secret-box.ts';

/** Who and what Switchboard knows: the records in Redis, and what this process remembers of them. */
export interface Directory {
  redis: RedisConnection;
  cursors: CursorSealer;
  box: SecretBox;
  apiKeys: ApiKeys;
  accounts: Accounts;
  /** For how long what was read of it holds. */
  freshness: Freshness;
  /** Lets go of what keeps it fresh. */
  close(): void;
}

const SCRIPTS = [...RECORD_SCRIPTS, ...DELETE_SCRIPTS, ...LIST_SCRIPTS, ...API_KEY_SCRIPTS];

/** Opens the directory on a connection that serves requests. */
export async function openDirectory(
  redis: RedisConnection,
  config: Pick<Config, 'SWITCHBOARD_SECRET'>,
  rootKey: string,
  publish: Publish,
): Promise<Directory> {
  await loadDirectoryScripts(redis);
  const secret = await openSecret(redis, config.SWITCHBOARD_SECRET, publish);
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

/** Makes Redis hold every script of the directory. */
export async function loadDirectoryScripts(redis: RedisConnection): Promise<void> {
  await Promise.all(SCRIPTS.map((script) => script.load(redis)));
}
