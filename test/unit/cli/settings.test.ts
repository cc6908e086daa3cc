import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { accountOutranksWorkspace, findSettings } from '../../../src/cli/setup/settings.ts';
import { takeLock } from '../../../src/launch/take-lock.mjs';

const LOGIN = { url: 'https://one.example', key: 'saved', workspace: 'ws_saved' };

function folders() {
  const root = mkdtempSync(join(tmpdir(), 'settings-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return { XDG_CONFIG_HOME: join(root, 'config'), SWITCHBOARD_DATA_DIR: join(root, 'data') };
}

function save(env: { XDG_CONFIG_HOME: string }): void {
  const folder = join(env.XDG_CONFIG_HOME, 'switchboard');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'login.json'), JSON.stringify(LOGIN));
}

it('options win over the environment, and that over what was saved', () => {
  const env = folders();
  expect(findSettings({}, env)).toEqual({});
  save(env);
  expect(findSettings({}, env)).toEqual(LOGIN);
  expect(findSettings({ account: 'acc_1' }, { ...env, SWITCHBOARD_WORKSPACE: 'ws_2' })).toEqual({
    ...LOGIN,
    workspace: 'ws_2',
    account: 'acc_1',
  });
  expect(findSettings({ url: 'https://one.example/' }, env)).toMatchObject({ key: 'saved' });
});

it.each(['localhost:3000', '127.0.0.1:3000'])('%s is no whole address', (url) => {
  expect(() => findSettings({ url }, folders())).toThrow(`"${url}" is no address of an API: write it whole`);
});

it.each(['“sb_1”', 'sb 1', 'sb_1\nsb_2'])('%j is no key', (key) => {
  expect(() => findSettings({ key }, folders())).toThrow('The key is no API key');
  expect(() => findSettings({}, { ...folders(), SWITCHBOARD_KEY: key })).toThrow('The key is no API key');
});

it('a saved key is for its own address only', () => {
  const env = folders();
  save(env);
  expect(findSettings({ url: 'https://two.example' }, env)).toEqual({ url: 'https://two.example' });
  expect(findSettings({}, { ...env, SWITCHBOARD_URL: 'https://one.example.evil' }).key).toBeUndefined();
});

it('another key than the saved one is for the address that is given with it', () => {
  const env = folders();
  expect(findSettings({ key: 'other' }, env)).toEqual({ key: 'other' });
  save(env);
  expect(() => findSettings({ key: 'other' }, env)).toThrow('--url or SWITCHBOARD_URL');
  expect(() => findSettings({}, { ...env, SWITCHBOARD_KEY: 'other' })).toThrow('--url or SWITCHBOARD_URL');
  expect(findSettings({ key: 'saved' }, env)).toEqual(LOGIN);
  expect(findSettings({ key: 'other', url: LOGIN.url }, env)).toEqual({ ...LOGIN, key: 'other' });
});

it.each([{ url: 'localhost:3000' }, { key: 5 }, { key: null }, { key: '“sb_1”' }])(
  'a saved address or key that is none is refused, and says how to mend it: %j',
  (wrong) => {
    const env = folders();
    save(env);
    const file = join(env.XDG_CONFIG_HOME, 'switchboard', 'login.json');
    writeFileSync(file, JSON.stringify({ ...LOGIN, ...wrong }));
    expect(() => findSettings({}, env)).toThrow('run `switchboard login` again');
  },
);

it('a file that cannot be read stops only what needs it', () => {
  const env = folders();
  mkdirSync(join(env.XDG_CONFIG_HOME, 'switchboard', 'login.json'), { recursive: true });
  const [url, key] = [LOGIN.url, 'given'];
  for (const given of [{}, { url }, { key }])
    expect(() => findSettings(given, env)).toThrow('login.json cannot be read (EISDIR)');
  expect(findSettings({ url, key, account: 'acc_1' }, env)).toEqual({ url, key, account: 'acc_1' });
  expect(findSettings({}, { ...env, XDG_CONFIG_HOME: '/dev/null' })).toEqual({});
});

it('an account is stronger than a workspace of a weaker place', () => {
  const [account, workspace] = ['acc_1', 'ws_1'];
  expect(accountOutranksWorkspace({ account }, {})).toBe(true);
  expect(accountOutranksWorkspace({ account }, { SWITCHBOARD_WORKSPACE: workspace })).toBe(true);
  expect(accountOutranksWorkspace({}, { SWITCHBOARD_ACCOUNT: account })).toBe(true);
  expect(accountOutranksWorkspace({ account, workspace }, {})).toBe(false);
  expect(accountOutranksWorkspace({ workspace }, { SWITCHBOARD_ACCOUNT: account })).toBe(false);
  expect(accountOutranksWorkspace({}, {})).toBe(false);
});

it('without a login, the `npm start` of the folder is found while it runs', () => {
  const env = folders();
  const folder = env.SWITCHBOARD_DATA_DIR;
  const lock = takeLock(join(folder, 'lock'), 'http://127.0.0.1:3000');
  writeFileSync(join(folder, 'root-key'), 'the-root-key\n');
  writeFileSync(join(folder, 'demo.json'), '{"workspaceId":"ws_1","accountIds":["acc_1","acc_2"]}');
  const found = { url: 'http://127.0.0.1:3000', key: 'the-root-key', workspace: 'ws_1', account: 'acc_1' };
  expect(findSettings({}, env)).toEqual(found);
  expect(() => findSettings({ key: 'other' }, env)).toThrow('--url or SWITCHBOARD_URL');
  const another = vi.spyOn(process, 'geteuid').mockReturnValue((process.geteuid?.() ?? 0) + 1);
  expect(findSettings({}, env)).toEqual({});
  another.mockRestore();
  lock.release();
  expect(findSettings({}, env)).toEqual({});
});

it('an address that is none is refused', () => {
  expect(() => findSettings({ url: 'example' }, folders())).toThrow('write it whole');
});
