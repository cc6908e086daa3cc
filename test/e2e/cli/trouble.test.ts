import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Cli } from '../../support/service/cli.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let proxy: Server;
let ada: Account;
let carol: Account;
let cli: Cli;
/** Has an answer of the API come another way, or not at all. */
let spoil: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;

beforeAll(async () => {
  service = await Service.start();
  const { id } = await service.aWorkspace();
  ada = await service.anAccount(id);
  carol = await service.anAccount((await service.aWorkspace()).id);
  proxy = createServer((request, response) => void forward(request, response));
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  cli = new Cli({
    SWITCHBOARD_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    SWITCHBOARD_KEY: service.rootKey,
    SWITCHBOARD_WORKSPACE: id,
    SWITCHBOARD_ACCOUNT: ada.id,
  });
});

afterEach(() => {
  spoil = null;
});

afterAll(async () => {
  proxy?.close();
  await service?.stop();
});

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '', headers } = request;
  const body = await text(request);
  const { authorization = '', prefer, 'content-type': type = 'application/json' } = headers;
  const answer = await fetch(`${service.url}${url}`, {
    method,
    headers: {
      authorization,
      ...(prefer && { prefer: String(prefer) }),
      ...(body !== '' && { 'content-type': type }),
    },
    body: body === '' ? null : body,
  });
  const got = await answer.text();
  spoil?.(request, response);
  if (response.destroyed || response.headersSent) return;
  // What was read is decoded.
  const kept = [...answer.headers].filter(
    ([name]) => !/^(content-(length|encoding)|transfer-encoding)$/.test(name),
  );
  response.writeHead(answer.status, Object.fromEntries(kept)).end(got);
}

/** Cuts the connection instead of the first answer to such a request. */
function loseFirst(method: string): void {
  spoil = (request, response) => {
    if (request.method !== method) return;
    spoil = null;
    response.destroy();
  };
}

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, retryable: boolean): void {
  say(response, 503, { type: 'about:blank', title: 'No', status: 503, code: 'overloaded', retryable });
}

async function aCanceledCall(): Promise<string> {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const [{ id }] = await cli.json(['call', 'help.getSupport', '--async', '--schedule-at', inAnHour]);
  await cli.json(['calls', 'cancel', id]);
  return id;
}

it('a deletion whose answer was lost is done, and what never was is not found', async () => {
  const [account] = await cli.json(['accounts', 'create', 'Dan']);
  loseFirst('DELETE');
  expect(await cli.run(['accounts', 'delete', account.id])).toMatchObject({ code: 0 });
  expect(await cli.run(['accounts', 'delete', account.id])).toMatchObject({ code: 1 });
});

it('a call that a proxy gave up names the key to repeat it with', async () => {
  spoil = (_request, response) => response.writeHead(504, { 'retry-after': '100' }).end('<html>');
  const said = await cli.run(['call', 'help.getSupport']);
  expect(said).toMatchObject({ code: 1, stdout: '' });
  expect(said.stderr).toMatch(
    /It may have taken effect\. To find out, repeat it with --idempotency-key \w{32}\n/,
  );
});

it('accounts of whose request a proxy has no answer may be there', async () => {
  spoil = (_request, response) => response.writeHead(504, { 'retry-after': '100' }).end('<html>');
  for (const [command, done] of [
    [['create', 'Eve', 'Fay'], 'connected: look at `switchboard list messenger-accounts`'],
    [['delete', 'acc_1', 'acc_2'], 'deleted.'],
  ] as const) {
    const { code, stderr } = await cli.run(['accounts', ...command]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(`^2 of 2 accounts may not be ${done}`)]);
  }
});

it('an account whose answer was lost is connected once', async () => {
  loseFirst('POST');
  const [account] = await cli.json(['accounts', 'create', 'Gil']);
  const all = await cli.json(['accounts', 'list', '--all']);
  expect(all.filter(({ name }) => name === 'Gil')).toMatchObject([{ id: account.id }]);
});

it('a key or webhook whose answer was lost may be there, and where to look is said', async () => {
  for (const [command, list] of [
    [['keys', 'create', 'lost', '--scopes', 'keys:read'], 'api-keys'],
    [['webhooks', 'create', 'https://example.com/lost'], 'webhooks'],
  ] as const) {
    loseFirst('POST');
    const { code, stderr } = await cli.run([...command]);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        `^It may have been made: look at \`switchboard list ${list}\` before you repeat it`,
      ),
    ]);
  }
  const lost = (await cli.json(['list', 'api-keys'])).filter(({ name }) => name === 'lost');
  expect(lost).toHaveLength(1);
  for (const { id } of lost) expect((await cli.run(['keys', 'revoke', id])).code).toBe(0);
});

it('replays go on after a lost answer; where they end, they say how far they came', async () => {
  await aCanceledCall();
  const replay = ['calls', 'replay', '--status', 'canceled'];
  loseFirst('POST');
  expect(await cli.json(replay)).toEqual([{ found: 1, replayed: 0, skipped: 1, paused: 0 }]);
  spoil = (_request, response) => refuse(response, false);
  const said = await cli.run(replay);
  expect(said).toMatchObject({ code: 1, stdout: 'found\t0\nreplayed\t0\nskipped\t0\npaused\t0\nnext\t-\n' });
  expect(said.stderr).toContain(
    `To go on: switchboard calls replay --workspace ${ada.workspaceId} --status canceled`,
  );
  let refused = 0;
  spoil = (_request, response) => {
    refused += 1;
    if (refused < 3) refuse(response, true);
  };
  expect(await cli.json(replay)).toEqual([{ found: 1, replayed: 0, skipped: 1, paused: 0 }]);
});

it('a wait for a call ends with --timeout, and says how to wait on', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = ['call', 'help.getSupport', '--async', '--schedule-at', inAnHour];
  const [{ id }] = await cli.json(scheduled);
  for (const command of [
    ['calls', id, '--wait'],
    [...scheduled, '--wait'],
  ]) {
    const said = await cli.run([...command, '--timeout', '6']);
    expect(said).toMatchObject({ code: 1, stdout: expect.stringContaining('queued') });
    expect(said.stderr).toMatch(
      /^It has not ended within 6 s\. To wait on: switchboard calls call_\w+ --wait\n$/,
    );
  }
});

it('a call whose end cannot be waited for names its id, since it is recorded', async () => {
  for (const flags of [[], ['--json']]) {
    spoil = ({ url }, response) => {
      if (url?.startsWith('/v1/calls/')) response.destroy();
    };
    const said = await cli.run(['call', 'help.getSupport', '--async', '--wait', '--timeout', '6', ...flags]);
    expect(said).toMatchObject({ code: 3, stdout: '' });
    const [, id] = /To wait on: switchboard calls (call_\w+) --wait\n/.exec(said.stderr) ?? [];
    spoil = null;
    expect(await cli.json(['calls', String(id), '--wait'])).toMatchObject([{ id, status: 'succeeded' }]);
  }
});

it.each(['/metrics', '/v1/scaling'])('an answer to %s that is cut off is none', async (path) => {
  spoil = ({ url }, response) => {
    if (url !== path) return;
    response.writeHead(200, { 'content-length': 1_000 }).write('switchboard_calls');
    setTimeout(() => response.destroy(), 100);
  };
  const said = await cli.run(['top', '--count', '1', '--interval', '1']);
  expect(said).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^No answer came: .*\nIs it running/),
  });
});

it('top goes on while the API cannot answer, and says so', async () => {
  let asked = 0;
  spoil = ({ url }, response) => {
    if (url !== '/v1/scaling' || ++asked > 3) return;
    if (asked < 3) response.writeHead(asked === 1 ? 503 : 429, { 'content-type': 'text/plain' }).end('away');
    else response.destroy();
  };
  const said = await cli.run(['top', '--count', '5', '--interval', '1']);
  expect(said.code).toBe(0);
  expect(said.stdout.trim().split('\n')).toHaveLength(3);
  expect(said.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/503.*\. Trying again\.$/),
    expect.stringMatching(/429.*\. Trying again\.$/),
    expect.stringMatching(/^No answer came: .*\. Trying again\.$/),
  ]);
});

it('a key that fits into no header is a wrong command', async () => {
  for (const wrong of [
    ['--key', '“sb_1”'],
    ['--idempotency-key', 'one\ntwo'],
  ]) {
    const said = await cli.run(['call', 'help.getSupport', ...wrong]);
    expect(said).toMatchObject({ code: 2, stderr: expect.stringMatching(/^.*printable ASCII.*\n$/) });
  }
});

it('a key in use is replaced and revoked; a key that has made others is asked about', async () => {
  const scopes = ['--scopes', 'keys:read,keys:write'];
  const [first] = await cli.json(['keys', 'create', 'first', ...scopes]);
  const [second] = await cli.json(['keys', 'rotate', first.id, '--revoke', '--key', first.secret]);
  expect(await cli.run(['keys', '--key', first.secret])).toMatchObject({ code: 1 });
  const [third] = await cli.json(['keys', 'create', 'third', ...scopes, '--key', second.secret]);
  expect((await cli.run(['keys', 'revoke', second.id])).stderr).toContain('not_empty');
  expect((await cli.run(['keys', 'revoke', second.id, '--keep', '--cascade'])).code).toBe(2);
  expect((await cli.run(['keys', 'revoke', second.id, '--keep'])).code).toBe(0);
  expect(await cli.json(['keys', '--key', third.secret])).toMatchObject([{ id: third.id }]);
});

it('the workspace of an account is looked up if only a weaker place names one', async () => {
  const call = ['call', 'help.getSupport', '--account', carol.id];
  expect((await cli.run(call)).code).toBe(0);
  expect((await cli.run([...call, '--workspace', ada.workspaceId])).code).toBe(1);
  const updates = await cli.run(['updates', '--account', carol.id]);
  expect(updates.code).toBe(0);
  // A key that cannot look it up takes the one it knows.
  const wanted = { name: 'caller', scopes: ['calls:write'], workspaceId: ada.workspaceId };
  const { secret } = await service.ok('POST', '/v1/api-keys', wanted);
  const own = ['call', 'help.getSupport', '--account', ada.id, '--key', secret];
  expect((await cli.run(own)).code).toBe(0);
});

it('login takes the key in standard input before that of the environment, and says which', async () => {
  const wanted = { name: 'own', scopes: ['accounts:read'], workspaceId: ada.workspaceId };
  const { secret } = await service.ok('POST', '/v1/api-keys', wanted);
  const user = new Cli({ SWITCHBOARD_KEY: service.rootKey });
  for (const [key, input] of [
    [secret, `${secret}\n`],
    [service.rootKey, ''],
  ]) {
    const said = await user.run(['login', service.url], input);
    expect(said).toMatchObject({ code: 0, stderr: expect.stringContaining(`${key.slice(0, 6)}…`) });
  }
  expect((await new Cli().run(['login', service.url])).stderr).toContain('No key was given');
});

it('a broken login stops only what needs it, and a login mends it', async () => {
  const user = new Cli();
  const folder = join(user.folder, 'config/switchboard');
  const spoilLogin = () => writeFileSync(join(folder, 'login.json'), '{');
  mkdirSync(folder, { recursive: true });
  spoilLogin();
  expect(await user.run(['accounts'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('login.json'),
  });
  expect((await user.run(['completion', 'bash'])).code).toBe(0);
  const doctor = await user.run(['doctor']);
  expect(doctor).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^fail.*login\.json cannot be read/),
  });
  expect((await user.run(['login', service.url], service.rootKey)).code).toBe(0);
  expect((await user.run(['accounts'])).code).toBe(0);
  spoilLogin();
  expect((await user.run(['logout'])).code).toBe(0);
});

it('a login that cannot be saved or removed is said in a sentence', async () => {
  const user = new Cli();
  const inTheWay = join(user.folder, 'config');
  writeFileSync(inTheWay, '');
  const login = await user.run(['login', service.url], service.rootKey);
  expect(login).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^.*login\.json cannot be changed.*\n$/),
  });
  rmSync(inTheWay);
  mkdirSync(join(inTheWay, 'switchboard/login.json'), { recursive: true });
  const logout = await user.run(['logout']);
  expect(logout).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^.*login\.json cannot be changed.*\n$/),
  });
});

it.each([
  [
    ['accounts', 'crate', 'Dan'],
    "unknown command 'crate'\n(Did you mean create?)\nUsage: switchboard accounts ",
  ],
  [['keys', 'nothing'], "unknown command 'nothing'\nUsage: switchboard keys "],
  [['list', 'workspace'], '(Did you mean workspaces?)\nUsage: switchboard list [options] <collection>'],
  [['list', 'accounts'], '(Did you mean messenger-accounts?)'],
  [['resume', 'ws_1'], "argument 'id'\nUsage: switchboard resume [options] <kind> <id>\nAdd --help"],
])('a wrong command says what was meant, and its usage: %j', async (args, said) => {
  expect(await cli.run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) });
});

it('an error of the API that names a search names the command for it', async () => {
  const { code, stderr } = await cli.run(['methods', 'foo.bar']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('`switchboard methods --search')]);
});

it('an error of the API that names a method names the command that shows it', async () => {
  const { code, stderr } = await cli.run(['call', 'messages.sendMessage']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('`switchboard methods messages.sendMessage`.')]);
});

it('what cannot be read is said in a sentence: the login, the folder of `npm start`, .env', async () => {
  const user = new Cli();
  mkdirSync(join(user.folder, 'config/switchboard/login.json'), { recursive: true });
  expect(await user.run(['accounts'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^.*login\.json cannot be read \(EISDIR\): .*\n$/),
  });
  const redis = join(user.folder, '.switchboard/redis');
  mkdirSync(join(redis, 'password'), { recursive: true });
  writeFileSync(join(redis, 'server.json'), '{"identity":null,"socket":"redis.sock"}');
  const { code, stdout } = await user.run(['doctor']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^(ok|warn) .*data folder \.switchboard/);
  expect(stdout).toMatch(/^fail {2}.*login\.json cannot be read/m);
  expect(stdout).toMatch(/^fail {2}The address of Redis cannot be read: EISDIR/m);
  mkdirSync(join(user.folder, '.env'));
  for (const command of ['start', 'worker'])
    expect(await user.run([command])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^\.env cannot be read \(EISDIR\): make it a file .*\n$/),
    });
});

it.runIf(existsSync('/dev/full'))(
  'output that cannot be written is a failure, unless its reader has gone',
  async () => {
    const methods = ['methods', '--all', '--json'];
    const full = openSync('/dev/full', 'w');
    const unwritten = cli.start(methods, '', full);
    closeSync(full);
    const [said, [code]] = await Promise.all([text(unwritten.stderr as Readable), once(unwritten, 'exit')]);
    expect(code).toBe(1);
    expect(said).toMatch(/^The output cannot be written: ENOSPC.*\n$/);
    const unread = cli.start(methods);
    unread.stdout?.destroy();
    const [nothing, [ok]] = await Promise.all([text(unread.stderr as Readable), once(unread, 'exit')]);
    expect([ok, nothing]).toEqual([0, '']);
  },
);

/** Runs a command whose output goes into a full disk, or to a reader that has gone; gives its exit code and what it said. */
async function runUnread(args: string[], input: string, isFull: boolean): Promise<[number, string]> {
  const full = isFull ? openSync('/dev/full', 'w') : null;
  const child = cli.start(args, input, full ?? 'pipe');
  if (full !== null) closeSync(full);
  child.stdout?.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  return [code, said];
}

describe.each(existsSync('/dev/full') ? [true, false] : [false])('lost output (full disk: %s)', (isFull) => {
  it('keeps a key whose replacement nobody has', async () => {
    const [key] = await cli.json(['keys', 'create', 'old', '--scopes', 'accounts:read']);
    for (const flags of [[], ['--json']]) {
      const [code, said] = await runUnread(['keys', 'rotate', key.id, '--revoke', ...flags], '', isFull);
      expect([code, said]).toEqual([1, expect.stringContaining(`\n${key.id} is kept`)]);
      expect(await cli.json(['accounts', '--key', key.secret])).not.toEqual([]);
    }
  });

  it('says how many accounts are not connected', async () => {
    const [{ id }] = await cli.json(['list', 'workspaces', '--limit', '1']);
    const before = await cli.json(['accounts', '--all', '--workspace', id]);
    const names = Array.from({ length: 103 }, (_, place) => `Name ${place}`).join('\n');
    const [code, said] = await runUnread(['accounts', 'create', '-', '--workspace', id], names, isFull);
    expect(code).toBe(1);
    expect(said).toMatch(/\n3 of 103 accounts are not connected: the last 3 were not tried\.\n$/);
    const after = await cli.json(['accounts', '--all', '--workspace', id]);
    expect(after).toHaveLength(before.length + 100);
  });
});

it('what is done is done, though nobody reads what is said of it', async () => {
  const [account] = await cli.json(['accounts', 'create', 'Gus']);
  const child = cli.start(['accounts', 'delete', account.id]);
  child.stderr?.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect((await cli.run(['accounts', 'show', account.id])).code).toBe(1);
});

it('nothing that an API says reaches the terminal as a command', async () => {
  const tricks = 'a\u009b2Jb\u202ec\u001b[31md';
  const orders = /(?!\n)[\p{Cc}\p{Bidi_C}]/u;
  const words = { title: tricks, code: 'invalid_query', detail: tricks };
  const problem = { type: 'about:blank', status: 400, retryable: false, ...words };
  spoil = (_request, response) => say(response, 400, problem);
  for (const flags of [[], ['--json']]) {
    const said = await cli.run(['list', 'organizations', ...flags]);
    expect(said).toMatchObject({ code: 1, stdout: '', stderr: expect.not.stringMatching(orders) });
    if (flags.length > 0) expect(JSON.parse(said.stderr)).toMatchObject({ detail: tricks });
  }
  const method = {
    name: tricks,
    purpose: tricks,
    executed: true,
    drivers: [tricks],
    paramsSchema: { properties: { [tricks]: { type: tricks, description: tricks } } },
    resultTypes: [tricks],
    errors: [{ code: tricks, status: 400, detail: tricks }],
    example: { params: { [tricks]: tricks } },
  };
  spoil = (_request, response) => say(response, 200, method);
  for (const flags of [[], ['--json']])
    expect((await cli.run(['methods', 'some.method', ...flags])).stdout).not.toMatch(orders);
});
