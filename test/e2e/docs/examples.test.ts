import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Shell } from '../../support/docs/shell.ts';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let shell: Shell;
let from: Account;
let to: Account;
let env: Record<string, string>;

beforeAll(async () => {
  service = await Service.start();
  shell = new Shell(service.rootKey);
  const { id } = await service.aWorkspace();
  [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  env = { API: service.url, KEY: service.rootKey, WS: id };
});

afterAll(async () => {
  await shell.close();
  await service.stop();
});

async function send(message: string): Promise<void> {
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  await service.result(from, 'messages.sendMessage', { peer, message });
}

it('follow-updates.mjs goes on where it was stopped', async () => {
  await send('first');
  const command = 'node docs/examples/follow-updates.mjs';
  await shell.run(command, env, [/(acc_\w+ first\n.*){2}/s]);
  // The command line's `--resume` ends the file with a line break.
  appendFileSync(join(shell.folder, 'offset.txt'), '\n');
  await send('second');
  const printed = await shell.run(command, env, [/(acc_\w+ second\n.*){2}/s]);
  // It may have been stopped between its work and the note of it.
  expect(printed.split('first').length - 1).toBeLessThan(2);
});

const FIRST_CALL = '"A first call and its update" in README.md';

it.each([
  ['send-burst.mjs', 'WS, BOB', FIRST_CALL],
  ['send-later.mjs', 'WS, BOB', FIRST_CALL],
  ['follow-updates.mjs', 'WS', FIRST_CALL],
  ['follow-durable-stream.mjs', 'WS', FIRST_CALL],
  ['updates-for-pages.mjs', 'WS', FIRST_CALL],
  ['receive-webhooks.mjs', 'WEBHOOK_SECRET', 'docs/webhooks.md'],
])('%s says what is not set, and ends', (program, names, where) => {
  const some = { PATH: process.env.PATH, API: service.url, KEY: service.rootKey, A: from.id };
  const ended = spawnSync(process.execPath, [`docs/examples/${program}`], { env: some, encoding: 'utf8' });
  expect(ended.stderr).toBe(`Not set: ${names}. Paste the commands of ${where} into this shell first.\n`);
  expect(ended.status).toBe(1);
});

it('hello.mjs says what to do before it, and ends', () => {
  const some = { PATH: process.env.PATH, API: service.url, KEY: service.rootKey };
  const ended = spawnSync(process.execPath, ['docs/examples/hello.mjs'], { env: some, encoding: 'utf8' });
  expect(ended.stderr).toContain('Paste "A first call" of README.md first.');
  expect(ended.status).toBe(1);
});

it('send-later.mjs says why no call was accepted, and ends', async () => {
  const wanted = { name: 'reader', scopes: ['updates:read'], workspaceId: from.workspaceId };
  const { secret } = await service.ok('POST', '/v1/api-keys', wanted);
  const own = { ...env, KEY: secret, A: from.id, BOB: String(to.userId) };
  const started = shell.start('node docs/examples/send-later.mjs', own);
  await started.closed;
  expect(started.child.exitCode).toBe(1);
  expect(started.printed).toMatch(/^0 accepted\n(forbidden: .*\n\s*){3}$/);
});

it('hello.mjs says soon that there is no service', async () => {
  const port = await findFreePort();
  const some = { PATH: process.env.PATH, ...env, API: `http://127.0.0.1:${port}`, A: from.id, BOB: '1' };
  const startedAt = performance.now();
  const ended = spawnSync(process.execPath, ['docs/examples/hello.mjs'], { env: some, encoding: 'utf8' });
  expect(ended.stderr).toContain('No answer came: connect ECONNREFUSED');
  expect(ended.status).toBe(1);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

it.each(['follow-updates.mjs', 'follow-durable-stream.mjs'])(
  '%s ends quietly when nobody reads what it prints any more',
  async (program) => {
    const command = `node docs/examples/${program} | head -n 1`;
    const started = shell.start(command, { ...env, OFFSET_FILE: 'piped.txt' });
    const ended = started.closed.then(() => true);
    await eventually(async () => {
      await send('more');
      return Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, 50, false))]);
    });
    expect(started.child.exitCode).toBe(0);
    expect(started.printed).toMatch(/^acc_.*\n$/);
  },
);

it('follow-durable-stream.mjs prints updates and where to go on from', async () => {
  const command = 'node docs/examples/follow-durable-stream.mjs';
  const printed = await shell.run(command, env, [/acc_\w+ \d{16}\n/, /go on from \d{16}_\d{16}\n/]);
  expect(printed).toContain(to.id);
});

it('receive-webhooks.mjs refuses what is not signed', async () => {
  const port = String(await findFreePort());
  const command = `node docs/examples/receive-webhooks.mjs & until curl -s -d '{}' http://127.0.0.1:${port}; do sleep 0.1; done; wait`;
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const printed = await shell.run(command, { WEBHOOK_PORT: port, WEBHOOK_SECRET: secret }, [/refused: .*\n/]);
  expect(printed).toContain('The header webhook-id is missing.');
});
