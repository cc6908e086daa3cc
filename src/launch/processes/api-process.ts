import { join } from 'node:path';
import { findFileText, writePrivateFile } from '../private-file.ts';
import { identifyProcess } from '../process-identity.mjs';

/** Records the API process, so that the next start on this folder finds it if the supervisor is killed. */
export function recordApiProcess(dataDir: string, pid: number): void {
  writePrivateFile(join(dataDir, 'api-process'), identifyProcess(pid) ?? '');
}

/** The identity of the API process of the last start on this folder, whether it still runs or not. */
export function findApiProcess(dataDir: string): string | null {
  return findFileText(join(dataDir, 'api-process')) || null;
}
