import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isAddress, isKey, refusalOfAddress } from '../../client/http/http.ts';
import { findFileText } from '../../launch/private-file.ts';
import { findHolder } from '../../launch/take-lock.mjs';
import { UsageError } from '../terminal/failures.ts';

/** The address of Switchboard, the key, and the default workspace and account of commands. */
export interface Settings {
  url?: string | undefined;
  key?: string | undefined;
  workspace?: string | undefined;
  account?: string | undefined;
}

class UnreadableError extends UsageError {}

const NAMES = ['url', 'key', 'workspace', 'account'] as const;

/**
 * The settings of a command: its options, else the environment, else `switchboard login`, else the `npm start` of this folder. Those of
 * the last two are used for their own address only: a key is never sent elsewhere, and no other key to an address of theirs.
 */
export function findSettings(options: Settings, env: NodeJS.ProcessEnv = process.env): Settings {
  const given = givenSettings(options, env);
  try {
    const saved = [readLogin(env), findLocalStart(env)].filter((found) => found !== null);
    return { ...findMatching(given, saved), ...given };
  } catch (error) {
    // Other users' files may be closed to this one, as under `sudo`. What they could add, not every command needs.
    if (error instanceof UnreadableError && given.url !== undefined && given.key !== undefined) return given;
    throw error;
  }
}

/** The settings of a command that its options and the environment give. */
export function givenSettings(options: Settings, env: NodeJS.ProcessEnv = process.env): Settings {
  const given: Settings = {};
  for (const name of NAMES) {
    const value = options[name] ?? env[variableOf(name)];
    if (value !== undefined && value !== '') given[name] = value;
  }
  if (given.url !== undefined && !isAddress(given.url)) throw new UsageError(refusalOfAddress(given.url));
  if (given.key !== undefined) checkKey(given.key);
  return given;
}

/** Throws a `UsageError` for what cannot be an API key. */
export function checkKey(key: string): void {
  if (!isKey(key))
    throw new UsageError('The key is no API key: it has other characters than printable ASCII.');
}

/** Whether the account comes from a source of higher precedence than the workspace, which may then belong to another account. */
export function accountOutranksWorkspace(options: Settings, env: NodeJS.ProcessEnv = process.env): boolean {
  const strengthOf = (name: (typeof NAMES)[number]) => (options[name] ? 2 : env[variableOf(name)] ? 1 : 0);
  return strengthOf('account') > strengthOf('workspace');
}

/** The file of `switchboard login`. */
export function loginFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'switchboard', 'login.json');
}

/** The data folder that `npm start` has here, or would have. */
export function dataDirName(env: NodeJS.ProcessEnv = process.env): string {
  return env.SWITCHBOARD_DATA_DIR || '.switchboard';
}

/** The data folder of `npm start`, if it belongs to this user: another user's folder may be a trap. */
export function findDataDir(env: NodeJS.ProcessEnv = process.env): string | null {
  const folder = dataDirName(env);
  try {
    const isOwn = process.geteuid === undefined || statSync(folder).uid === process.geteuid();
    return isOwn && readdirSync(folder).length > 0 ? folder : null;
  } catch {
    return null;
  }
}

function variableOf(name: string): string {
  return `SWITCHBOARD_${name.toUpperCase()}`;
}

function findMatching({ url, key }: Settings, saved: readonly Settings[]): Settings | undefined {
  if (url !== undefined) return saved.find((found) => isSame(found.url, url));
  const [first] = saved;
  if (key === undefined || first === undefined) return first;
  const own = saved.find((found) => found.key === key);
  if (own !== undefined) return own;
  throw new UsageError(
    `Give the address of this key with --url or SWITCHBOARD_URL: ${first.url} was found with another key.`,
  );
}

/** The settings of the Switchboard that runs on the data folder of `npm start`, if one does. */
function findLocalStart(env: NodeJS.ProcessEnv): Settings | null {
  const folder = findDataDir(env);
  if (folder === null) return null;
  const url = findHolder(join(folder, 'lock'))?.note;
  if (url === undefined || !URL.canParse(url)) return null;
  const demo = parse(readText(join(folder, 'demo.json')));
  const [account] = (demo?.accountIds ?? []) as string[];
  const key = readText(join(folder, 'root-key')) ?? undefined;
  return { url, key, workspace: demo?.workspaceId as string | undefined, account };
}

function readLogin(env: NodeJS.ProcessEnv): Settings | null {
  const file = loginFile(env);
  const text = readText(file);
  if (text === null) return null;
  const found = parse(text);
  const { url, key } = found ?? {};
  if (typeof url === 'string' && isAddress(url) && (key === undefined || isKey(key)))
    return found as Settings;
  throw new UsageError(`${file} cannot be read: run \`switchboard login\` again.`);
}

/** The text of a file, or null if there is no such file. Throws an `UnreadableError` if it cannot be read. */
function readText(file: string): string | null {
  try {
    return findFileText(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // As where the home folder is /dev/null.
    if (code === 'ENOTDIR') return null;
    throw new UnreadableError(
      `${file} cannot be read (${code ?? message}): let this user read it, or remove it.`,
    );
  }
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  const whole = (url = '') => (URL.canParse(url) ? new URL(url).href.replace(/\/+$/, '') : url);
  return whole(a) === whole(b);
}

function parse(text: string | null): Record<string, unknown> | null {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
