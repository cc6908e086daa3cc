import { type AccountOutcome, createAccounts, type NewAccount } from './accounts.ts';
import { type Account, openAccount } from './calls/account.ts';
import { type BulkAnswers, type BulkAsyncCalls, makeAsyncBulk, makeBulk } from './calls/bulk.ts';
import type { PreparedCall } from './calls/call-answer.ts';
import type { Http } from './http/http.ts';
import type { TryOptions } from './options.ts';
import { findEnd, followUpdates, type UpdatesOptions } from './updates/follow-updates.ts';
import type { StreamItem, UpdateKind } from './updates/stream-types.ts';

/** A workspace: its accounts, calls of several of them at once, and its updates. */
export class Workspace {
  readonly id: string;
  // One that is only declared private would be logged, and written as JSON, with the key.
  readonly #http: Http;

  constructor(http: Http, id: string) {
    this.#http = http;
    this.id = id;
  }

  /** A messenger account of the workspace. */
  account(id: string): Account {
    return openAccount(this.#http, this.id, id);
  }

  /** Connects messenger accounts and returns their outcomes in the same order. */
  createAccounts(accounts: readonly NewAccount[], options: TryOptions = {}): Promise<AccountOutcome[]> {
    return createAccounts(this.#http, this.id, accounts, options);
  }

  /** Makes calls concurrently and returns their outcomes in the same order. */
  bulk<const Calls extends readonly PreparedCall[]>(
    calls: Calls,
    options: TryOptions = {},
  ): Promise<BulkAnswers<Calls>> {
    return makeBulk(this.#http, this.id, calls, options);
  }

  /** Makes async calls and returns them in the same order. */
  asyncBulk<const Calls extends readonly PreparedCall[]>(
    calls: Calls,
    options: TryOptions = {},
  ): Promise<BulkAsyncCalls<Calls>> {
    return makeAsyncBulk(this.#http, this.id, calls, options);
  }

  /** The updates as they come, each once and in order. A gap is an item of the kind `stream.gap`. */
  updates<const Kind extends UpdateKind = UpdateKind>(
    options: UpdatesOptions<Kind> = {},
  ): AsyncGenerator<StreamItem<Kind>, void, undefined> {
    return followUpdates(this.#http, this.id, options);
  }

  /** The offset of the newest update: what comes after it is new. */
  offset(options: TryOptions = {}): Promise<string> {
    return findEnd(this.#http, this.id, options);
  }
}
