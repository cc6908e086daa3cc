import { join } from 'node:path';
import { findFileText, writePrivateFile } from './private-file.ts';

/** What a data folder says of its server. */
export interface RedisRecord {
  port: number;
  /** Null from before the process starts until it is known: no server may run that the folder does not tell of. */
  identity: string | null;
}

/** The record in a folder, or null if there is none that can be read. */
export function findRedisRecord(dir: string): RedisRecord | null {
  try {
    const record = JSON.parse(findFileText(join(dir, 'server.json')) ?? 'null');
    return Number.isSafeInteger(record?.port) ? record : null;
  } catch {
    return null;
  }
}

/** Keeps the record in the folder. */
export function writeRedisRecord(dir: string, record: RedisRecord): void {
  writePrivateFile(join(dir, 'server.json'), `${JSON.stringify(record)}\n`);
}
