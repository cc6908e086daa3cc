import { join } from 'node:path';
import { findFileText, writePrivateFile } from '../private-file.ts';
import { identifyProcess } from '../process-identity.mjs';

/** Notes which process is the API's, for the next start on this folder to find should this one be killed. */
export function noteApiProcess(dataDir: string, pid: number): void {
  writePrivateFile(join(dataDir, 'api-process'), identifyProcess(pid) ?? '');
}

/** The identity of the API process of the last start on this folder, whether it still runs or not. */
export function findApiProcess(dataDir: string): string | null {
  return findFileText(join(dataDir, 'api-process')) || null;
}
