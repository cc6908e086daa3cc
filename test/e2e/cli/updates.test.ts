import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { Cli } from '../../support/service/cli.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let ada: Account;
let bob: Account;
let cli: Cli;
let port: string;

beforeAll(async () => {
  service = await Service.start({ apis: 0 });
  port = String(await findFreePort());
  await service.startApi({ PORT: port });
  const { id } = await service.aWorkspace();
  [ada, bob] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  cli = new Cli({
    SWITCHBOARD_URL: service.url,
    SWITCHBOARD_KEY: service.rootKey,
    SWITCHBOARD_WORKSPACE: id,
  });
});

afterAll(() => service.stop());

async function send(message: string): Promise<void> {
  const peer = { _: 'inputPeerUser', userId: bob.userId, accessHash: '0' };
  await service.result(ada, 'messages.sendMessage', { peer, message });
}

const textsOf = (updates: { update: { message: { message: string } } }[]) =>
  updates.map(({ update }) => update.message.message);

it('follows across the death of an API process, and goes on there in a later run', async () => {
  const args = ['updates', '--follow', '--account', bob.id, '--kind', 'RawUpdateNewMessage', '--json'];
  const child = cli.start([...args, '--from', 'beginning']);
  const seen: { update: { message: { message: string } } }[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
    seen.push(JSON.parse(line)),
  );
  await send('one');
  await eventually(() => seen.length === 1);
  const [api] = service.apis.splice(0);
  const exited = once(api?.child as ChildProcess, 'exit');
  api?.child.kill('SIGKILL');
  await exited;
  await service.startApi({ PORT: port });
  await send('two');
  await eventually(() => seen.length === 2);
  child.kill();
  expect(textsOf(seen)).toEqual(['one', 'two']);

  const kept = ['--resume', join(cli.folder, 'offset.txt')];
  // Longer than what is written over it.
  writeFileSync(kept[1] as string, `${'beginning'.padEnd(100)}\n`);
  const first = await cli.json(['updates', '--account', bob.id, '--limit', '1', ...kept]);
  expect(textsOf(first)).toEqual(['one']);
  expect(readFileSync(kept[1] as string, 'utf8')).toBe(
    `${(first[0] as unknown as { offset: string }).offset}\n`,
  );
  await send('three');
  expect(textsOf(await cli.json(['updates', '--account', bob.id, ...kept]))).toEqual(['two', 'three']);
});

it('goes on after what its reader got, if that has gone', async () => {
  const kept = ['--resume', join(cli.folder, 'read.txt')];
  const args = ['updates', '--account', bob.id, '--kind', 'RawUpdateNewMessage', ...kept];
  await cli.json(args);
  const child = cli.start([...args, '--follow', '--json']);
  await send('read');
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const { offset } = JSON.parse(line);
  // Or what comes behind it and is not for this reader.
  await eventually(() => readFileSync(kept[1] as string, 'utf8') >= `${offset}\n`);
  child.stdout?.destroy();
  const ended = once(child, 'exit');
  await send('unread');
  expect(await ended).toEqual([0, null]);
  expect(textsOf(await cli.json(args))).toEqual(['unread']);
});

it('shows a later run what comes after one that ended without an update', async () => {
  const file = join(cli.folder, 'none.txt');
  const args = ['updates', '--account', bob.id, '--kind', 'RawUpdateNewMessage', '--resume', file];
  const child = cli.start([...args, '--follow', '--json']);
  const ended = once(child, 'exit');
  await eventually(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
  child.kill();
  await ended;
  await send('between');
  expect(textsOf(await cli.json(args))).toEqual(['between']);
});

it.each([{ follow: [] }, { follow: ['--follow'] }])(
  'passes what its filter leaves out, with $follow',
  async ({ follow }) => {
    const file = join(cli.folder, 'passed.txt');
    await send('of another kind');
    const end = (await service.updates(ada.workspaceId, '-1')).at(-1).offset as string;
    writeFileSync(file, 'beginning\n');
    const child = cli.start(['updates', '--kind', 'RawUpdateDcOptions', '--resume', file, ...follow]);
    const ended = once(child, 'exit');
    await eventually(() => readFileSync(file, 'utf8') === `${end}\n`);
    child.kill();
    await ended;
  },
);

it('refuses kinds that there are not', async () => {
  const said = await cli.run(['updates', '--follow', '--kind', 'RawUpdateNothing']);
  expect(said).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^invalid_query: .*no such kind.*\n$/),
  });
});

it('tells of a gap, with and without --follow, and goes on behind it', async () => {
  const file = join(cli.folder, 'lost.txt');
  const args = ['updates', '--account', bob.id, '--resume', file, '--limit', '1'];
  await send('before the gap');
  const end = (await service.updates(ada.workspaceId, '-1')).at(-1).offset as string;
  const lost = end.replace(/_.*/, '_0000000000000900');
  for (const follow of [[], ['--follow']]) {
    writeFileSync(file, `${lost}\n`);
    expect(await cli.json([...args, ...follow])).toEqual([{ kind: 'stream.gap', from: lost, to: end }]);
    expect(readFileSync(file, 'utf8')).toBe(`${end}\n`);
  }
  writeFileSync(file, `${lost}\n`);
  expect(await cli.run(args)).toEqual({
    code: 0,
    stdout: '',
    stderr: `Updates after ${lost} and up to ${end} are not kept any more.\n`,
  });
});

it('refuses an offset file that cannot be kept, before it shows anything', async () => {
  mkdirSync(join(cli.folder, 'folder'));
  const endless = existsSync('/dev/full') ? ['/dev/full'] : [];
  for (const file of ['folder', 'none/offset.txt', ...endless])
    for (const follow of [[], ['--follow']]) {
      const said = await cli.run(['updates', '--account', bob.id, '--resume', file, ...follow]);
      expect(said).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^.*--resume.*\n$/) });
      expect(said.stderr).toContain(file);
    }
});
