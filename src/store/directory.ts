import type { Config } from '../config.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Accounts } from './accounts.ts';
import { API_KEY_SCRIPTS, ApiKeys } from './api-keys.ts';
import { type CursorSealer, openCursorSealer } from './cursor.ts';
import { LIST_SCRIPTS } from './lists.ts';
import { RECORD_SCRIPTS } from './records.ts';

/** Who and what Switchboard knows: the records in Redis, and what this process remembers of them. */
export interface Directory {
  redis: RedisConnection;
  cursors: CursorSealer;
  apiKeys: ApiKeys;
  accounts: Accounts;
}

const SCRIPTS = [...RECORD_SCRIPTS, ...LIST_SCRIPTS, ...API_KEY_SCRIPTS];

/** Opens the directory on a connection that serves requests. */
export async function openDirectory(
  redis: RedisConnection,
  config: Pick<Config, 'SWITCHBOARD_SECRET'>,
  rootKey: string,
): Promise<Directory> {
  await loadDirectoryScripts(redis);
  return {
    redis,
    cursors: await openCursorSealer(redis, config.SWITCHBOARD_SECRET),
    apiKeys: new ApiKeys(redis, rootKey),
    accounts: new Accounts(redis),
  };
}

/** Makes Redis hold every script of the directory. */
export async function loadDirectoryScripts(redis: RedisConnection): Promise<void> {
  await Promise.all(SCRIPTS.map((script) => script.load(redis)));
}
