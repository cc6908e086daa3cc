import { accessSync, constants, statSync } from 'node:fs';

/**
 * Adds the settings of the file `.env` of this folder, if there is one, to the environment. Throws an `Error` that says in a sentence why
 * it cannot be read.
 */
export function loadDotEnv() {
  try {
    const stats = statSync('.env', { throwIfNoEntry: false });
    if (stats === undefined) return;
    // Node says of a folder nothing that people understand.
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    // Node says of a file that may not be read that it is not there.
    accessSync('.env', constants.R_OK);
    process.loadEnvFile('.env');
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Error(
      `.env cannot be read (${code ?? message}): make it a file with settings, as .env.example is, or remove it.`,
    );
  }
}
