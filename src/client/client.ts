import type { MethodName } from '../tl/tl-json.ts';
import { type DeletionOutcome, deleteAccounts } from './accounts.ts';
import { type Account, openAccount } from './calls/account.ts';
import { AsyncCall } from './calls/async-call.ts';
import { Http } from './http/http.ts';
import { type DeliveryFilter, type Lists, readList } from './lists.ts';
import type { ClientOptions, TryOptions } from './options.ts';
import type { DeliveryRecord } from './records.ts';
import { Workspace } from './workspace.ts';

/** A client of one Switchboard, with one API key. It holds no connection and need not be closed. */
export class Client {
  // One that is only declared private would be logged, and written as JSON, with the key.
  readonly #http: Http;

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
  }

  /** A messenger account. */
  account(workspaceId: string, accountId: string): Account {
    return openAccount(this.#http, workspaceId, accountId);
  }

  /** A workspace. */
  workspace(id: string): Workspace {
    return new Workspace(this.#http, id);
  }

  /** Deletes messenger accounts and returns their outcomes in the same order. */
  deleteAccounts(ids: readonly string[], options: TryOptions = {}): Promise<DeletionOutcome[]> {
    return deleteAccounts(this.#http, ids, options);
  }

  /** An async call that was made before, by its id. */
  asyncCall<Name extends MethodName>(id: string): AsyncCall<Name> {
    return new AsyncCall(this.#http, id);
  }

  /** The items of a list that the key may see, page after page. */
  list<Name extends keyof Lists>(
    name: Name,
    filter: Lists[Name]['filter'] = {},
    options: TryOptions = {},
  ): AsyncGenerator<Lists[Name]['item'], void, undefined> {
    return readList(this.#http, `/v1/${name}`, filter, options);
  }

  /** The deliveries of a webhook. */
  deliveries(
    webhookId: string,
    filter: DeliveryFilter = {},
    options: TryOptions = {},
  ): AsyncGenerator<DeliveryRecord, void, undefined> {
    return readList(this.#http, `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries`, filter, options);
  }
}
