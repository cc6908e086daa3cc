import { join } from 'node:path';
import type { Config } from '../config.ts';
import { generateApiKey } from '../directory/key-format.ts';
import { findFileText, loadOrCreateSecret, writePrivateFile } from './private-file.ts';

/**
 * The root key, and the file that holds it: `SWITCHBOARD_ROOT_KEY` if it is set, otherwise the key in the file, which the first start
 * creates. A key from the setting is written to the file too, because the commands that `npm start` prints read it there.
 */
export function loadRootKey(config: Config): { key: string; file: string } {
  const file = join(config.SWITCHBOARD_DATA_DIR, 'root-key');
  const given = config.SWITCHBOARD_ROOT_KEY;
  if (given && findFileText(file) !== given) writePrivateFile(file, `${given}\n`);
  return { key: loadOrCreateSecret(file, generateApiKey), file };
}
