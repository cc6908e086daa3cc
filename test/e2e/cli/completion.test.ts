import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Cli } from '../../support/service/cli.ts';
import { Service } from '../../support/service/service.ts';

const run = promisify(execFile);

let service: Service;
let cli: Cli;

beforeAll(async () => {
  service = await Service.start();
  cli = new Cli({ SWITCHBOARD_URL: service.url, SWITCHBOARD_KEY: service.rootKey });
  const bin = join(cli.folder, 'switchboard');
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${resolve('src/cli/bin.mjs')}' "$@"\n`);
  chmodSync(bin, 0o755);
});

afterAll(() => service.stop());

/** What bash offers after words, the last of which is not complete. */
async function offered(...words: string[]): Promise<string[]> {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `source <(switchboard completion bash)
COMP_WORDS=(switchboard ${list}); COMP_CWORD=${words.length}
$(complete -p switchboard | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...cli.env, PATH: `${cli.folder}${delimiter}${process.env.PATH}` };
  const { stdout } = await run('bash', ['-c', script], { cwd: cli.folder, env });
  return stdout.split('\n').filter((line) => line !== '');
}

it('bash loads the script and completes commands, options, values and methods', async () => {
  expect(await offered('ke')).toEqual(['keys']);
  expect(await offered('keys', 'r')).toEqual(['rotate', 'revoke']);
  expect(await offered('calls', '--st')).toEqual(['--status']);
  expect(await offered('calls', '--status', 'f')).toEqual(['failed']);
  expect(await offered('list', 'mess')).toEqual(['messenger-accounts']);
  expect(await offered('call', '--json', 'messages.sendMes')).toEqual(['messages.sendMessage']);
  expect(await offered('call', 'messages.sendMessage', 'x')).toEqual([]);
});

it.each(['zsh', 'fish'])('there is a script for %s', async (shell) => {
  expect((await cli.run(['completion', shell])).stdout).toContain('switchboard __complete');
});
