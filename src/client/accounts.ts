import { type BulkKind, sendPart } from './calls/bulk-part.ts';
import { newIdempotencyKey } from './calls/idempotency-key.ts';
import type { ApiError, NoAnswerError } from './errors.ts';
import type { Http } from './http/http.ts';
import { mayBeRecorded } from './http/retry.ts';
import type { HttpRequest } from './http/send.ts';
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
  /** For a day the same key gives the same account. Each has a random one by default, which nobody learns if the request is aborted. */
  idempotencyKey?: string | undefined;
}

/** The outcome for one of several accounts. */
export type AccountOutcome = { ok: true; account: MessengerAccountRecord } | { ok: false; error: Failure };

/** The outcome for one of several accounts to delete. */
export type DeletionOutcome = { ok: true; id: string } | { ok: false; id: string; error: Failure };

type Failure = ApiError | NoAnswerError;

const CREATION: BulkKind = {
  show: (account) => ({ account: account as MessengerAccountRecord }),
  doubts: mayBeRecorded,
  // The API looks up the key first, so that its refusal holds for earlier requests too.
  afterDoubt: (error) => error,
};

const DELETION: BulkKind = {
  show: () => ({}),
  isBodyless: true,
  doubts: mayBeRecorded,
  afterDoubt: (error) => (error.status === 404 ? null : error),
};

/**
 * Connects accounts to a workspace, up to a hundred in a request, and returns their outcomes in order. A request is repeated under the same
 * keys, for those accounts whose problems may pass. An error of a request is the outcome of its accounts.
 */
export async function createAccounts(
  http: Http,
  workspaceId: string,
  accounts: readonly NewAccount[],
  options: TryOptions,
): Promise<AccountOutcome[]> {
  const keyed = accounts.map(({ idempotencyKey = newIdempotencyKey(), ...account }) => ({
    ...account,
    idempotencyKey,
  }));
  const requestFor = (sent: typeof keyed) => request('bulk', { workspaceId, accounts: sent });
  const outcomes: AccountOutcome[] = [];
  for (const part of parts(keyed)) {
    const ended = await sendPart(http, part, CREATION, requestFor, options);
    outcomes.push(...(ended as AccountOutcome[]));
  }
  return outcomes;
}

/**
 * Deletes accounts, up to a hundred in a request, and returns their outcomes in order. Those whose problems may pass are sent again. An
 * account that is already deleted fails with `not_found`, unless an attempt without an answer may have deleted it. An error of a request is
 * the outcome of its accounts.
 */
export async function deleteAccounts(
  http: Http,
  ids: readonly string[],
  options: TryOptions,
): Promise<DeletionOutcome[]> {
  const requestFor = (sent: { id: string }[]) => request('bulk-delete', { ids: sent.map(({ id }) => id) });
  const outcomes: DeletionOutcome[] = [];
  for (const part of parts(ids.map((id) => ({ id, idempotencyKey: undefined })))) {
    const ended = await sendPart(http, part, DELETION, requestFor, options);
    outcomes.push(...part.map(({ id }, place) => ({ ...ended[place], id }) as DeletionOutcome));
  }
  return outcomes;
}

function* parts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += ACCOUNTS_MAX) yield items.slice(at, at + ACCOUNTS_MAX);
}

function request(what: 'bulk' | 'bulk-delete', body: object): HttpRequest {
  return { method: 'POST', path: `/v1/messenger-accounts/${what}`, body };
}
