import { join } from 'node:path';
import { findFileText, writePrivateFile } from '../private-file.ts';

/** The record in a data folder of its server. */
export interface RedisRecord {
  /** The Unix socket it listens on; absent for a server of an earlier release, which listens on a port. */
  socket?: string;
  /** Null from before the process starts until its identity is known, so that no server ever runs without a record. */
  identity: string | null;
}

/** The record in a folder, or null if there is no readable one. */
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

/** Writes the record of a folder. */
export function writeRedisRecord(dir: string, record: RedisRecord): void {
  writePrivateFile(join(dir, 'server.json'), `${JSON.stringify(record)}\n`);
}
