import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { findFileText } from '../private-file.ts';
import { addressOf } from './redis-child.ts';
import { findRedisRecord } from './redis-record.ts';

/** The address of the private Redis on a folder, whether it runs or not; null if there was none. */
export function findPrivateRedis(folder: string): string | null {
  const { socket } = findRedisRecord(folder) ?? {};
  const password = findFileText(join(folder, 'password'));
  return socket === undefined || password === null
    ? null
    : addressOf({ dir: realpathSync(folder), socket, password });
}
