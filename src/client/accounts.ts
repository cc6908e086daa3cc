import { newIdempotencyKey } from './calls/idempotency-key.ts';
import { ApiError, type ProblemDocument } from './errors.ts';
import type { Http } from './http/http.ts';
import { limitsOf, retrying } from './http/retry.ts';
import { send } from './http/send.ts';
import type { TryOptions } from './options.ts';
import type { MessengerAccountRecord } from './records.ts';

/** The most accounts in one request. */
const ACCOUNTS_MAX = 100;

/** A messenger account to be connected. */
export interface NewAccount {
  name: string;
  driver?: string;
  bot?: boolean;
  strictPeers?: boolean;
  maxConcurrentCalls?: number | null;
  /** For a day the same key gives the same account; each has a random one by default. */
  idempotencyKey?: string;
}

/** The outcome for one of several accounts. */
export type AccountOutcome = { ok: true; account: MessengerAccountRecord } | { ok: false; error: ApiError };

/** The outcome for one of several accounts to delete. */
export type DeletionOutcome = { ok: true; id: string } | { ok: false; id: string; error: ApiError };

interface Result<Body> {
  status: number;
  body: Body;
}

/**
 * Connects accounts to a workspace, up to a hundred in a request, and returns their outcomes in order. A request is repeated under the same
 * keys.
 */
export async function createAccounts(
  http: Http,
  workspaceId: string,
  accounts: readonly NewAccount[],
  options: TryOptions,
): Promise<AccountOutcome[]> {
  const keyed = accounts.map((account) => ({ idempotencyKey: newIdempotencyKey(), ...account }));
  const outcomes: AccountOutcome[] = [];
  for (const part of parts(keyed)) {
    const body = { workspaceId, accounts: part };
    for (const one of await post<MessengerAccountRecord>(http, 'bulk', body, options))
      outcomes.push(
        isSuccess(one) ? { ok: true, account: one.body } : { ok: false, error: toError(one.body) },
      );
  }
  return outcomes;
}

/**
 * Deletes accounts, up to a hundred in a request, and returns their outcomes in order. An account that is already deleted fails with
 * `not_found`.
 */
export async function deleteAccounts(
  http: Http,
  ids: readonly string[],
  options: TryOptions,
): Promise<DeletionOutcome[]> {
  const outcomes: DeletionOutcome[] = [];
  for (const part of parts(ids)) {
    const results = await post<null>(http, 'bulk-delete', { ids: part }, options);
    for (const [place, id] of part.entries()) {
      const one = results[place] as Result<null | ProblemDocument>;
      outcomes.push(isSuccess(one) ? { ok: true, id } : { ok: false, id, error: toError(one.body) });
    }
  }
  return outcomes;
}

function* parts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += ACCOUNTS_MAX) yield items.slice(at, at + ACCOUNTS_MAX);
}

async function post<Body>(
  http: Http,
  what: 'bulk' | 'bulk-delete',
  body: object,
  options: TryOptions,
): Promise<Result<Body | ProblemDocument>[]> {
  const request = { method: 'POST', path: `/v1/messenger-accounts/${what}`, body } as const;
  const attempt = (signal: AbortSignal) =>
    send<{ results: Result<Body | ProblemDocument>[] }>(http.target, request, signal);
  return (await retrying(limitsOf(options, http.defaults), attempt)).body.results;
}

function isSuccess<Body>(result: Result<Body | ProblemDocument>): result is Result<Body> {
  return result.status < 400;
}

function toError(body: unknown): ApiError {
  const problem = body as ProblemDocument;
  return new ApiError(problem, problem.retryAfter === undefined ? null : problem.retryAfter * 1_000);
}
