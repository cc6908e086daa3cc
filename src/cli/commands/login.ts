import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { Http } from '../../client/http/http.ts';
import { writePrivateFile } from '../../launch/private-file.ts';
import { action } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { checkKey, givenSettings, loginFile, type Settings } from '../setup/settings.ts';
import { UsageError } from '../terminal/failures.ts';

// Enough to tell which key it is.
const KEY_SHOWN = 6;
// A script's input is there at once.
const HINT_AFTER_MS = 2_000;
const HINT =
  'The key is read from standard input, which has not ended yet. To take that of SWITCHBOARD_KEY, add < /dev/null\n';

/** `switchboard login` and `logout`. */
export function addLoginCommands(program: Command): void {
  program
    .command('login')
    .summary('keep an address and a key')
    .description(
      `Checks an address and a key and keeps them in a file that only you can read. The key is read from standard input, else that of SWITCHBOARD_KEY, else asked for.`,
    )
    .argument('[url]', 'the address of the API')
    .addHelpText(
      'after',
      examples(
        'login https://switchboard.example.com --workspace ws_… --account acc_…',
        'login http://127.0.0.1:3000 < key-file',
      ),
    )
    .action(
      action(async ({ options, out }, address: string | undefined) => {
        const { url } = givenSettings({ url: address ?? text(options.url) });
        if (url === undefined)
          throw new UsageError(
            'Name the address of the API, such as `switchboard login http://127.0.0.1:3000`.',
          );
        const key = text(options.key) ?? (await readKey());
        if (key === '') throw new UsageError('No key was given.');
        checkKey(key);
        const http = new Http({ url, key, attempts: 2, timeoutMs: 20_000 });
        await http.request({ method: 'GET', path: '/v1/methods?limit=1' }, {});
        const kept: Settings = {
          url,
          key,
          workspace: text(options.workspace),
          account: text(options.account),
        };
        const file = loginFile();
        changing(file, () => {
          mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
          writePrivateFile(file, `${JSON.stringify(kept, null, 2)}\n`);
        });
        out.note(`Saved the key ${key.slice(0, KEY_SHOWN)}… for ${url} in ${file}.`);
      }),
    );
  program
    .command('logout')
    .summary('forget what `switchboard login` has kept')
    .description('Removes what `switchboard login` has kept.')
    .action(
      action(({ out }) => {
        const file = loginFile();
        changing(file, () => rmSync(file, { force: true }));
        out.note(`${file} is removed.`);
      }),
    );
}

/** Changes the file of the login. Throws a `UsageError` if that is not possible. */
function changing(file: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${file} cannot be changed (${code ?? message}): let this user write there, or set XDG_CONFIG_HOME.`,
    );
  }
}

/** The key in standard input, unless that is a terminal or empty; else that of the environment, else one that is asked for. */
async function readKey(): Promise<string> {
  const { stdin, stderr, env } = process;
  if (stdin.isTTY) return env.SWITCHBOARD_KEY || askForKey();
  // Standard input may never end, as that of a job, or of `ssh` without a terminal: then this says what it waits for.
  const hint = setTimeout(() => stderr.write(HINT), HINT_AFTER_MS);
  const piped = await readAll(stdin).finally(() => clearTimeout(hint));
  return piped.trim() || env.SWITCHBOARD_KEY || '';
}

/** Asks for the key without showing it. */
async function askForKey(): Promise<string> {
  const { stdin, stderr } = process;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true });
  // From here on nothing that is typed is shown.
  stderr.write('API key (it is not shown): ');
  try {
    // Unlike a question, this also ends with Ctrl-C and Ctrl-D.
    const line = await new Promise<string>((resolve) => {
      reader.once('line', resolve).once('close', () => resolve(''));
    });
    return line.trim();
  } finally {
    reader.close();
    stderr.write('\n');
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
