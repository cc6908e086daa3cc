import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findSettings } from '../../../src/cli/setup/settings.ts';
import { takeLock } from '../../../src/launch/take-lock.mjs';

const LOGIN = { url: 'https://one.example', key: 'saved', workspace: 'ws_saved' };

function folders() {
  const root = mkdtempSync(join(tmpdir(), 'settings-'));
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

it('a saved key is for its own address only', () => {
  const env = folders();
  save(env);
  expect(findSettings({ url: 'https://two.example' }, env)).toEqual({ url: 'https://two.example' });
  expect(findSettings({}, { ...env, SWITCHBOARD_URL: 'https://one.example.evil' }).key).toBeUndefined();
});

it('without a login, the `npm start` of the folder is found while it runs', () => {
  const env = folders();
  const folder = env.SWITCHBOARD_DATA_DIR;
  const lock = takeLock(join(folder, 'lock'), 'http://127.0.0.1:3000');
  writeFileSync(join(folder, 'root-key'), 'the-root-key\n');
  writeFileSync(join(folder, 'demo.json'), '{"workspaceId":"ws_1","accountIds":["acc_1","acc_2"]}');
  const found = { url: 'http://127.0.0.1:3000', key: 'the-root-key', workspace: 'ws_1', account: 'acc_1' };
  expect(findSettings({}, env)).toEqual(found);
  lock.release();
  expect(findSettings({}, env)).toEqual({});
});

it('an address that is none is refused', () => {
  expect(() => findSettings({ url: 'example' }, folders())).toThrow('write it whole');
});
