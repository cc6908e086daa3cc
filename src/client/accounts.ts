import { newIdempotencyKey } from './calls/idempotency-key.ts';
import { ApiError, type NoAnswerError, type ProblemDocument, SwitchboardError } from './errors.ts';
import type { Http } from './http/http.ts';
import { copyOf, toRequestError } from './http/request-error.ts';
import { limitsOf, mayBeRecorded, retrying } from './http/retry.ts';
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
  idempotencyKey?: string | undefined;
}

/** The outcome for one of several accounts. */
export type AccountOutcome = { ok: true; account: MessengerAccountRecord } | { ok: false; error: Failure };

/** The outcome for one of several accounts to delete. */
export type DeletionOutcome = { ok: true; id: string } | { ok: false; id: string; error: Failure };

interface Result<Body> {
  status: number;
  body: Body | ProblemDocument;
}

type Failure = ApiError | NoAnswerError;

/** What came of a request. */
interface Answer<Body> {
  /** Of each account, in its place. */
  results: (Body | Failure)[];
  /** Whether an earlier attempt may have taken effect. */
  isRepeat: boolean;
}

/**
 * Connects accounts to a workspace, up to a hundred in a request, and returns their outcomes in order. A request is repeated under the same
 * keys. An error of a request is the outcome of its accounts.
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
  const outcomes: AccountOutcome[] = [];
  for (const part of parts(keyed)) {
    const body = { workspaceId, accounts: part };
    const { results } = await post<MessengerAccountRecord>(http, 'bulk', body, part.length, options);
    for (const [place, { idempotencyKey }] of part.entries()) {
      const one = results[place] as MessengerAccountRecord | Failure;
      if (one instanceof SwitchboardError) one.idempotencyKey = idempotencyKey;
      outcomes.push(one instanceof SwitchboardError ? { ok: false, error: one } : { ok: true, account: one });
    }
  }
  return outcomes;
}

/**
 * Deletes accounts, up to a hundred in a request, and returns their outcomes in order. An account that is already deleted fails with
 * `not_found`, unless an attempt without an answer may have deleted it. An error of a request is the outcome of its accounts.
 */
export async function deleteAccounts(
  http: Http,
  ids: readonly string[],
  options: TryOptions,
): Promise<DeletionOutcome[]> {
  const outcomes: DeletionOutcome[] = [];
  for (const part of parts(ids)) {
    const { results, isRepeat } = await post<null>(http, 'bulk-delete', { ids: part }, part.length, options);
    for (const [place, id] of part.entries()) {
      const one = results[place] as null | Failure;
      const isDone =
        !(one instanceof SwitchboardError) || (isRepeat && one instanceof ApiError && one.status === 404);
      outcomes.push(isDone ? { ok: true, id } : { ok: false, id, error: one });
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
  count: number,
  options: TryOptions,
): Promise<Answer<Body>> {
  const request = { method: 'POST', path: `/v1/messenger-accounts/${what}`, body } as const;
  let unanswered = 0;
  const attempt = async (signal: AbortSignal) => {
    const isRepeat = unanswered > 0;
    unanswered += 1;
    try {
      const { body } = await send<{ results: Result<Body>[] }>(http.target, request, signal);
      return { results: body.results.map(bodyOrFailure), isRepeat };
    } catch (error) {
      if (!mayBeRecorded(error)) unanswered -= 1;
      throw error;
    }
  };
  try {
    return await retrying(limitsOf(options, http.defaults), attempt, mayBeRecorded);
  } catch (caught) {
    const error = toRequestError(caught);
    return { results: Array.from({ length: count }, () => copyOf(error)), isRepeat: false };
  }
}

function bodyOrFailure<Body>({ status, body }: Result<Body>): Body | ApiError {
  if (status < 400) return body as Body;
  const problem = body as ProblemDocument;
  return new ApiError(problem, problem.retryAfter === undefined ? null : problem.retryAfter * 1_000);
}
