import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cli } from '../../support/service/cli.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let ada: Account;
let bob: Account;
let cli: Cli;

beforeAll(async () => {
  service = await Service.start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  const { id } = await service.aWorkspace();
  [ada, bob] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  cli = new Cli({
    SWITCHBOARD_URL: service.url,
    SWITCHBOARD_KEY: service.rootKey,
    SWITCHBOARD_WORKSPACE: id,
    SWITCHBOARD_ACCOUNT: ada.id,
  });
});

afterAll(() => service.stop());

const toBob = () => ['peer._=inputPeerUser', `peer.userId=${bob.userId}`, 'peer.accessHash=0'];

describe('call', () => {
  it('sends what name=value says, and numbers as text where the schema wants text', async () => {
    const [{ result, txid }] = await cli.json(['call', 'messages.sendMessage', ...toBob(), 'message=42']);
    expect(result._).toBe('updateShortSentMessage');
    const updates = await service.updates(ada.workspaceId, '-1', `messengerAccountId=${bob.id}`);
    expect(updates.filter((update) => update.txid === txid)[0].update.message.message).toBe('42');
  });

  it('takes params from standard input and from a file', async () => {
    writeFileSync(join(cli.folder, 'id.json'), '{"id":[1]}');
    for (const [word, input] of [
      ['-', '{"id":[1]}'],
      ['@id.json', ''],
    ] as const)
      expect(await cli.json(['call', 'messages.readMessageContents', word], input)).toMatchObject([
        { result: { _: 'messages.affectedMessages' } },
      ]);
  });

  it('takes effect once under a key', async () => {
    const again = ['call', 'messages.sendMessage', ...toBob(), 'message=Once', '--idempotency-key', 'once'];
    expect(await cli.json(again)).toEqual(await cli.json(again));
  });

  it('refuses a key that belongs to the other kind of call', async () => {
    for (const [key, first, second] of [
      ['sync', [], ['--async']],
      ['async', ['--async', '--wait'], []],
    ] as const) {
      const call = ['call', 'help.getSupport', '--idempotency-key', `of ${key}`];
      await cli.json([...call, ...first]);
      expect(await cli.run([...call, ...second])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^idempotency_key_reused: .*give each its own\.\n$/),
      });
    }
  });

  it('checks without making', async () => {
    expect(await cli.json(['call', 'help.getSupport', '--validate'])).toEqual([{ valid: true }]);
  });

  it('is recorded with --async, and shown, canceled and replayed by `calls`', async () => {
    const [{ id }] = await cli.json(['call', 'help.getSupport', '--async']);
    expect((await cli.json(['calls', id, '--wait']))[0].status).toBe('succeeded');
    const later = ['call', 'help.getSupport', '--async', '--schedule-at', '2126-01-01T00:00:00Z'];
    expect((await cli.run(later)).code).toBe(1);
    const [scheduled] = await cli.json([...later.slice(0, 4), '1h']);
    const [{ scheduleAt }] = await cli.json(['calls', scheduled.id]);
    expect(Math.abs(Date.parse(scheduleAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect((await cli.json(['calls', 'cancel', scheduled.id]))[0].status).toBe('canceled');
    const [replayed] = await cli.json(['calls', 'replay', '--status', 'canceled']);
    expect(replayed).toEqual({ found: 1, replayed: 1, skipped: 0, paused: 0 });
    const failing = ['call', 'messages.readMentions', 'peer._=inputPeerEmpty', '--async', '--wait'];
    expect((await cli.run(['call', 'messages.getHistory', '--async'])).code).toBe(1);
    expect((await cli.run([...failing, '--account', 'acc_none'])).code).toBe(1);
    expect(await cli.json(['calls', '--status', 'canceled', '--since', '1h'])).toMatchObject([
      { id: scheduled.id },
    ]);
    expect(await cli.json(['calls', '--failed', '--since', '1h'])).toEqual([]);
  });
});

it('lists and replays the calls of one account', async () => {
  await cli.json(['call', 'help.getSupport', '--async', '--wait']);
  expect(await cli.json(['calls', '--account', bob.id])).toEqual([]);
  expect(await cli.json(['calls', 'replay', '--status', 'canceled', '--account', bob.id])).toMatchObject([
    { found: 0 },
  ]);
});

describe('exit codes', () => {
  it.each([
    [0, ['--help'], ''],
    [0, ['help', 'call'], ''],
    [0, ['--version'], ''],
    [1, ['call', 'messages.sendMesage'], 'did you mean `messages.sendMessage`?'],
    [1, ['list', 'organizations', '--key', 'of-nobody-at-all'], 'unauthorized'],
    [2, ['call'], "missing required argument 'method'"],
    [2, ['cal', 'help.getSupport'], 'Did you mean call?'],
    [2, ['call', 'help.getSupport', '--asink'], 'Did you mean --async?'],
    [2, ['calls', 'replay', '--since', '5m'], '--since is for the list: `calls replay` has no such option'],
    [2, ['calls', '--failed', 'replay'], '--failed is for the list'],
    [2, ['list', 'nothing'], 'Allowed choices'],
    [2, ['call', 'help.getSupport', 'nonsense'], 'write a JSON object, name=value'],
    [2, ['list', 'calls', '--limit', 'many'], '--limit must be'],
    [3, ['list', 'organizations', '--url', 'http://127.0.0.1:9'], 'Is it running'],
  ])('%i for %j', async (code, args, text) => {
    const said = await cli.run(args);
    expect(said).toMatchObject({ code, stderr: expect.stringContaining(text) });
    if (code !== 0) expect(said.stdout).toBe('');
  });

  it('a problem is JSON with --json', async () => {
    const { stderr } = await cli.run(['call', 'messages.sendMesage', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'unknown_method' });
  });
});

it('lists all pages, as many as wanted, as lines with tabs without a terminal', async () => {
  const names = Array.from({ length: 105 }, (_, index) => `Organization ${index}`);
  for (const name of names) await service.ok('POST', '/v1/organizations', { name });
  expect(await cli.json(['list', 'organizations', '--all'])).toHaveLength(names.length + 1);
  const { stdout, stderr } = await cli.run(['list', 'organizations', '--limit', '103']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(103);
  expect(lines[0]?.split('\t')).toEqual([expect.stringMatching(/^org_/), expect.any(String), names.at(-1)]);
  expect(
    await cli.json(['list', 'organizations', 'createdAfter=1h', 'sort=createdAt', '--limit', '2']),
  ).toMatchObject([{ name: 'Organization' }, { name: names[0] }]);
  expect(stderr).toContain('--all');
  expect(stdout).not.toContain('\u001b');
});

it('finds methods and tells all of one, with an example that works', async () => {
  const found = await cli.json(['methods', '--search', 'send message', '--executed']);
  expect(found[0].name).toBe('messages.sendMessage');
  const { stdout } = await cli.run(['methods', 'help.getSupport']);
  expect(stdout).toMatch(/Params[\s\S]*Result\n {2}help\.support[\s\S]*switchboard call help\.getSupport/);
});

it('connects, shows and deletes accounts', async () => {
  const [account] = await cli.json(['accounts', 'create', 'Carol']);
  expect(await cli.json(['accounts', 'show', account.id])).toEqual([account]);
  expect((await cli.run(['accounts', 'delete', account.id])).code).toBe(0);
  expect((await cli.json(['accounts'])).map(({ id }) => id).sort()).toEqual([ada.id, bob.id].sort());
});

it('creates, replaces and revokes keys', async () => {
  const [key] = await cli.json([
    'keys',
    'create',
    'reader',
    '--scopes',
    'accounts:read',
    '--rate-limit',
    '100/60',
  ]);
  const [next] = await cli.json(['keys', 'rotate', key.id, '--revoke']);
  expect(next).toMatchObject({ scopes: key.scopes, rateLimit: key.rateLimit, workspaceId: key.workspaceId });
  expect((await cli.run(['accounts', '--key', key.secret])).stderr).toContain('unauthorized');
  expect(await cli.json(['accounts', '--key', next.secret])).toHaveLength(2);
  expect((await cli.run(['keys', 'revoke', next.id])).code).toBe(0);
  const [other] = await cli.json(['keys', 'create', 'other', '--scopes', 'accounts:read']);
  expect((await cli.run(['keys', 'revoke', other.id, '--cascade'])).code).toBe(0);
  expect(await cli.json(['keys'])).toEqual([]);
  const deletions = (id: string) => cli.run(['audit', '--action', 'delete', '--target', id]);
  expect((await deletions(next.id)).stdout).toContain('root key\tdelete\t');
  expect((await deletions(other.id)).stdout).toContain('root key\tdelete with cascade\t');
});

it('tells a key with the name of the root key from it in the audit list', async () => {
  const [key] = await cli.json(['keys', 'create', 'root key', '--scopes', 'keys:read,keys:write']);
  const [other] = await cli.json(['keys', 'create', 'other', '--scopes', 'keys:read']);
  expect((await cli.run(['keys', 'revoke', other.id, '--key', key.secret])).code).toBe(0);
  const { stdout } = await cli.run(['audit', '--action', 'delete', '--target', other.id]);
  expect(stdout).toContain(`\troot key ${key.id}\tdelete\t`);
  expect((await cli.run(['keys', 'revoke', key.id])).code).toBe(0);
});

it('pauses and resumes, lists workers, drains one, and shows who did so', async () => {
  const lane = { target: { kind: 'lane', id: 'slow' }, mode: 'refuse', reason: 'a repair' };
  expect(await cli.json(['pause', 'lane', 'slow', '--refuse', '--reason', 'a repair'])).toMatchObject([lane]);
  expect(await cli.json(['list', 'pauses'])).toMatchObject([lane]);
  const resumed = await cli.run(['resume', 'lane', 'slow']);
  expect([resumed.code, resumed.stderr]).toEqual([0, 'The calls of the lane slow are no longer paused.\n']);
  expect(await cli.json(['list', 'pauses'])).toEqual([]);
  expect(await cli.json(['list', 'workers'])).toMatchObject([{ state: 'running' }]);
  expect((await cli.run(['drain', 'worker-none'])).code).toBe(1);
  expect(await cli.json(['audit', '--target', 'slow'])).toMatchObject([
    { action: 'resume' },
    { action: 'pause' },
  ]);
  const plain = await cli.run(['audit', '--action', 'pause']);
  expect(plain.stdout).toContain('root key\tpause\tlane slow');
});

it('says what cannot be paused or resumed, and where to look', async () => {
  for (const verb of ['pause', 'resume']) {
    const unknown = await cli.run([verb, 'workspace', 'ws_none']);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('no workspace with that id') });
    expect(unknown.stderr).toContain('switchboard list workspaces');
    const wrong = await cli.run([verb, 'method', 'help.getConfg']);
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did you mean `help.getConfig`?'),
    });
  }
  const other = await cli.run(['resume', 'lane', 'shared']);
  expect([other.code, other.stderr]).toEqual([
    0,
    'The lane shared was not paused: `switchboard list pauses` shows what is.\n',
  ]);
});

it('shows and changes the settings of all processes', async () => {
  const [before] = await cli.json(['settings']);
  expect(before).toMatchObject({ logLevel: null });
  const [changed] = await cli.json(['settings', 'logLevel=error', 'accountsPerWorkspace=77']);
  expect(changed).toMatchObject({ logLevel: 'error', accountsPerWorkspace: 77 });
  expect(await cli.json(['audit', '--action', 'set'])).toMatchObject([{ to: { logLevel: 'error' } }]);
  const wrong = await cli.run(['settings', 'logLevl=debug']);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('logLevl')]);
  const bare = await cli.run(['settings', 'logLevel']);
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('write logLevel=value')]);
  const [after] = await cli.json(['settings', 'logLevel=null', 'accountsPerWorkspace=null']);
  expect(after).toEqual(before);
});

it('creates, pings and deletes webhooks', async () => {
  const [{ id }] = await cli.json(['webhooks', 'create', 'http://127.0.0.1:9/hook']);
  await cli.json(['webhooks', 'ping', id]);
  expect(await cli.json(['webhooks', 'deliveries', id])).toMatchObject([{ kind: 'webhook.ping' }]);
  expect(await cli.json(['list', 'deliveries', `webhookId=${id}`])).toHaveLength(1);
  expect((await cli.run(['webhooks', 'replay', id])).code).toBe(2);
  expect((await cli.run(['webhooks', 'delete', id])).code).toBe(0);
  expect(await cli.json(['webhooks'])).toEqual([]);
});

it('login keeps a key that works, for its user only', async () => {
  const user = new Cli();
  expect((await user.run(['accounts'])).stderr).toContain('Where is Switchboard?');
  expect((await user.run(['login', service.url], 'not-a-key-of-this')).code).toBe(1);
  expect((await user.run(['login', service.url, '--workspace', ada.workspaceId], service.rootKey)).code).toBe(
    0,
  );
  const file = join(user.folder, 'config/switchboard/login.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await user.json(['accounts'])).toHaveLength(2);
  // The workspace of an account is found.
  expect((await user.run(['call', 'help.getSupport', '--account', ada.id])).code).toBe(0);
  await user.run(['logout']);
  expect((await user.run(['accounts'])).code).toBe(2);
});

it('top prints a line a time', async () => {
  const [load] = await cli.json(['top', '--interval', '1', '--count', '1']);
  expect(load).toMatchObject({ workers: 'ok', inFlight: 0, waiting: 0 });
  expect(load.fleet).toMatchObject({ workers: { running: 1 }, workerList: [{ state: 'running' }] });
});
