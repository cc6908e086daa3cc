import { join } from 'node:path';
import { type Config, isRootKey } from '../config.ts';
import { generateApiKey } from '../directory/key-format.ts';
import { StartError } from '../run-process.ts';
import { findFileText, loadOrCreateSecret, writePrivateFile } from './private-file.ts';

/**
 * The root key, and the file that holds it: `SWITCHBOARD_ROOT_KEY` if it is set, otherwise the key in the file, which the first start
 * creates. A key from the setting is written to the file too, because the commands that `npm start` prints read it there. Throws a
 * `StartError` if the file has something else.
 */
export function loadRootKey(config: Config): { key: string; file: string } {
  const file = join(config.SWITCHBOARD_DATA_DIR, 'root-key');
  const given = config.SWITCHBOARD_ROOT_KEY;
  if (given && findFileText(file) !== given) writePrivateFile(file, `${given}\n`);
  const key = loadOrCreateSecret(file, generateApiKey);
  if (!isRootKey(key))
    throw new StartError(
      `The file ${file} holds no root key: give it one of 16 characters or more without spaces, or remove it to have one made.`,
    );
  return { key, file };
}
