import type { Command } from 'commander';
import { ApiError } from '../../client/errors.ts';
import { Http } from '../../client/http/http.ts';
import { limitsOf, mayBeRecorded, retrying } from '../../client/http/retry.ts';
import { send } from '../../client/http/send.ts';
import { UsageError } from '../terminal/failures.ts';
import { Output } from '../terminal/output.ts';
import { accountOutranksWorkspace, findSettings, type Settings } from './settings.ts';

// Fewer than the client has by default: a person or a script waits.
const ATTEMPTS = 5;
const SECONDS_MAX = 86_400;

/** The context of a command. */
export interface Context {
  /** Looked up at first use, since some commands repair them. */
  settings: Settings;
  /** All options of the command, those of all commands among them. */
  options: Record<string, unknown>;
  out: Output;
  /** Sends requests to the API. Throws a `UsageError` if its address or the key is not known. */
  http: Http;
}

/** Makes an action of commander, which gets the context before the command's own arguments. */
export function action<Args extends unknown[]>(
  work: (context: Context, ...args: Args) => Promise<void> | void,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    // The last two are the options and the command.
    await work(openContext(command.optsWithGlobals()), ...(given.slice(0, -2) as Args));
  };
}

function openContext(options: Record<string, unknown>): Context {
  let settings: Settings | undefined;
  let http: Http | undefined;
  return {
    get settings() {
      settings ??= findSettings(options);
      return settings;
    },
    options,
    out: new Output(options.json === true),
    get http() {
      http ??= openHttp(this.settings, options);
      return http;
    },
  };
}

/** The workspace of a command that needs one. */
export function needWorkspace({ settings: { workspace } }: Context): string {
  if (workspace !== undefined) return workspace;
  throw new UsageError(
    'Name the workspace with --workspace or SWITCHBOARD_WORKSPACE, or save it with `switchboard login`.',
  );
}

/** The account of a command that needs one, and its workspace, which is asked for if it is not known. */
export async function needAccount(context: Context): Promise<{ workspaceId: string; accountId: string }> {
  const { account, workspace } = context.settings;
  if (account === undefined)
    throw new UsageError(
      'Name the account with --account or SWITCHBOARD_ACCOUNT, or save it with `switchboard login`.',
    );
  const known = workspace === undefined ? null : { workspaceId: workspace, accountId: account };
  if (known !== null && !accountOutranksWorkspace(context.options)) return known;
  try {
    const { workspaceId } = await ask<{ workspaceId: string }>(
      context,
      `/v1/messenger-accounts/${encodeURIComponent(account)}`,
    );
    return { workspaceId, accountId: account };
  } catch (error) {
    // Many keys may call methods, but not see accounts.
    if (known !== null && error instanceof ApiError && error.status === 403) return known;
    throw error;
  }
}

/** Sends a request that reads, and returns the answer. */
export async function ask<Body>({ http }: Context, path: string): Promise<Body> {
  return (await http.request<Body>({ method: 'GET', path }, {})).body;
}

/** Sends a request that changes something, and returns the answer. A POST is sent once, as it is not safe to repeat. */
export async function order<Body>(
  { http }: Context,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Body> {
  return (await http.request<Body>({ method, path, body }, { attempts: method === 'POST' ? 1 : ATTEMPTS }))
    .body;
}

/** Makes a record, and returns it. */
export async function createRecord(context: Context, path: string, body: object): Promise<object> {
  try {
    return await order<object>(context, 'POST', path, body);
  } catch (error) {
    sayWhereToLook(error, path);
    throw error;
  }
}

/** Says on standard error where to look for a record, if it may have been made though the request has failed. */
export function sayWhereToLook(error: unknown, path: string): void {
  if (!mayBeRecorded(error)) return;
  const list = `switchboard list ${path.replace('/v1/', '')}`;
  process.stderr.write(
    `It may have been made: look at \`${list}\` before you repeat it. The request has failed, because:\n`,
  );
}

/** Deletes something. If the answer to an attempt was lost, the next may find it gone. */
export async function remove({ http }: Context, path: string): Promise<void> {
  let isInDoubt = false;
  await retrying(limitsOf({}, http.defaults), async (signal) => {
    try {
      await send(http.target, { method: 'DELETE', path }, signal);
    } catch (error) {
      if (isInDoubt && error instanceof ApiError && error.status === 404) return;
      isInDoubt ||= mayBeRecorded(error);
      throw error;
    }
  });
}

/** The value of an option that is a whole number from 1 to `max`. Throws a `UsageError` for any other. */
export function numberOf(name: string, text: unknown, max: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new UsageError(`${name} must be a whole number from 1 to ${max}, not ${text}.`);
}

/** The value of `--timeout`, in seconds. */
export function secondsOf(timeout: unknown): number {
  return numberOf('--timeout', timeout, SECONDS_MAX);
}

function openHttp({ url, key }: Settings, { timeout }: Record<string, unknown>): Http {
  if (url === undefined)
    throw new UsageError(
      'Where is Switchboard? Give --url or SWITCHBOARD_URL, run `switchboard login`, or be in a folder where `npm start` runs now, with its SWITCHBOARD_DATA_DIR if it has one.',
    );
  if (key === undefined)
    throw new UsageError(
      `Which API key for ${url}? Set SWITCHBOARD_KEY, run \`switchboard login\`, or give --key.`,
    );
  const timeoutMs = secondsOf(timeout) * 1_000;
  return new Http({ url, key, attempts: ATTEMPTS, timeoutMs, attemptTimeoutMs: timeoutMs });
}
