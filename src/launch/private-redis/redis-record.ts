import { join } from 'node:path';
import { findFileText, writePrivateFile } from '../private-file.ts';

/** What a data folder says of its server. */
export interface RedisRecord {
  /** Where it listens; absent for one of an earlier release, which listens on a port. */
  socket?: string;
  /** Null from before the process starts until it is known: no server may run that the folder does not tell of. */
  identity: string | null;
}

/** The record in a folder, or null if there is none that can be read. */
export function findRedisRecord(dir: string): RedisRecord | null {
  try {
    const record = JSON.parse(findFileText(join(dir, 'server.json')) ?? 'null');
    const isWhole = record?.identity === null || typeof record?.identity === 'string';
    if (!isWhole) return null;
    return { ...(typeof record.socket === 'string' && { socket: record.socket }), identity: record.identity };
  } catch {
    return null;
  }
}

/** Keeps the record in the folder. */
export function writeRedisRecord(dir: string, record: RedisRecord): void {
  writePrivateFile(join(dir, 'server.json'), `${JSON.stringify(record)}\n`);
}
