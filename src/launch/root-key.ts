import { join } from 'node:path';
import type { Config } from '../config.ts';
import { generateApiKey } from '../directory/key-format.ts';
import { findFileText, keepSecret, writePrivateFile } from './private-file.ts';

/**
 * The key that may do everything, and the file it is kept in: the one set, else the one kept there, made the first time. A key
 * that is set is kept too, so that the commands `npm start` prints find it.
 */
export function keepRootKey(config: Config): { key: string; file: string } {
  const file = join(config.SWITCHBOARD_DATA_DIR, 'root-key');
  const given = config.SWITCHBOARD_ROOT_KEY;
  if (given && findFileText(file) !== given) writePrivateFile(file, `${given}\n`);
  return { key: keepSecret(file, generateApiKey), file };
}
