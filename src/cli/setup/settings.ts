import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findFileText } from '../../launch/private-file.ts';
import { findHolder } from '../../launch/take-lock.mjs';
import { UsageError } from '../terminal/failures.ts';

/** Where Switchboard is, with which key to ask it, and what commands are about if they do not say so. */
export interface Settings {
  url?: string | undefined;
  key?: string | undefined;
  workspace?: string | undefined;
  account?: string | undefined;
}

const NAMES = ['url', 'key', 'workspace', 'account'] as const;

/**
 * The settings of a command: its options, else the environment, else `switchboard login`, else the `npm start` of this folder. Those of
 * the last two are used for their own address only: a key is never sent elsewhere.
 */
export function findSettings(options: Settings, env: NodeJS.ProcessEnv = process.env): Settings {
  const given: Settings = {};
  for (const name of NAMES) {
    const value = options[name] ?? env[`SWITCHBOARD_${name.toUpperCase()}`];
    if (value !== undefined && value !== '') given[name] = value;
  }
  if (given.url !== undefined && !URL.canParse(given.url))
    throw new UsageError(`${given.url} is no address: write it whole, such as http://127.0.0.1:3000.`);
  const saved = [readLogin(env), findLocalStart(env)].filter((found) => found !== null);
  const found = given.url === undefined ? saved[0] : saved.find(({ url }) => isSame(url, given.url));
  return { ...found, ...given };
}

/** The file of `switchboard login`. */
export function loginFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'switchboard', 'login.json');
}

/** What the data folder of `npm start` tells of the Switchboard that runs on it, if one does. */
export function findLocalStart(env: NodeJS.ProcessEnv = process.env): Settings | null {
  const folder = dataDir(env);
  const url = isThere(folder) ? findHolder(join(folder, 'lock'))?.note : undefined;
  if (url === undefined || !URL.canParse(url)) return null;
  const demo = parse(findFileText(join(folder, 'demo.json')));
  const [account] = (demo?.accountIds ?? []) as string[];
  const key = findFileText(join(folder, 'root-key')) ?? undefined;
  return { url, key, workspace: demo?.workspaceId as string | undefined, account };
}

/** The data folder of `npm start`. */
export function dataDir(env: NodeJS.ProcessEnv = process.env): string {
  return env.SWITCHBOARD_DATA_DIR || '.switchboard';
}

function readLogin(env: NodeJS.ProcessEnv): Settings | null {
  const file = loginFile(env);
  const text = findFileText(file);
  if (text === null) return null;
  const found = parse(text);
  if (typeof found?.url === 'string') return found as Settings;
  throw new UsageError(`${file} cannot be read: run \`switchboard login\` again.`);
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  const whole = (url = '') => (URL.canParse(url) ? new URL(url).href.replace(/\/+$/, '') : url);
  return whole(a) === whole(b);
}

function isThere(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

function parse(text: string | null): Record<string, unknown> | null {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
