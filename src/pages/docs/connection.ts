import { browserStorage, tabStorage } from '../shared/storage.ts';

const STORED_AS = 'switchboard.docs';

interface Stored {
  key: string;
  /** The last id of each collection that was typed or received: `webhooks` → `wh_…`. */
  ids: Record<string, string>;
}

export interface Account {
  id: string;
  name: string;
  workspaceId: string;
  driver: string;
}

/** No request can succeed with the key. */
export class KeyRefused extends Error {
  constructor() {
    super('The API key is unknown, deleted or expired: type another one.');
  }
}

/** The API has refused to answer. */
class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The key and the ids that requests take, remembered for this tab, or for this browser if the reader chooses that. */
export class Connection {
  /** The address of the API, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  accounts: Account[] = [];
  private readonly stored: Stored;
  private readonly listeners: (() => void)[] = [];

  constructor(url: string) {
    this.url = url;
    const { key = '', ids = {} } = { ...read(browserStorage), ...read(tabStorage) };
    this.stored = { key, ids };
  }

  get key(): string {
    return this.stored.key;
  }

  /** Whether the browser keeps this key, which another tab may have changed. */
  get isKept(): boolean {
    return read(browserStorage).key === this.key;
  }

  get accountId(): string {
    return this.id('messenger-accounts');
  }

  get workspaceId(): string {
    return this.id('workspaces');
  }

  id(collection: string): string {
    return this.stored.ids[collection] ?? '';
  }

  /** Takes the key that was typed. A key that the browser keeps is only forgotten if it is that of this tab. */
  setKey(key: string, isKept: boolean): void {
    const wasKept = this.isKept;
    this.stored.key = key;
    if (!isKept && wasKept) browserStorage.removeItem(STORED_AS);
    this.store(isKept);
  }

  /** Remembers an id, and for an account also its workspace. */
  setId(collection: string, id: string): void {
    this.stored.ids[collection] = id;
    const account = collection === 'messenger-accounts' && this.accounts.find((one) => one.id === id);
    if (account) this.stored.ids.workspaces = account.workspaceId;
    this.store(this.isKept);
  }

  /** Remembers a record that was just created. */
  addRecord(collection: string, record: { id: string }): void {
    if (collection === 'messenger-accounts') this.accounts.push(record as Account);
    this.setId(collection, record.id);
  }

  /** Calls `listener` whenever the key or an id has changed. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Reads a JSON document of the API; throws the API's error, a `KeyRefused` if it is about the key. */
  async read<Body>(path: string): Promise<Body> {
    const headers: Record<string, string> = this.key === '' ? {} : { authorization: `Bearer ${this.key}` };
    const response = await fetch(`${this.url}${path}`, { headers });
    if (response.status === 401 && this.key !== '') throw new KeyRefused();
    const body = await response.json();
    if (!response.ok)
      throw new RefusedError(response.status, body.detail ?? body.title ?? response.statusText);
    return body;
  }

  /** Finds the accounts of the key. The first is chosen if the key has none that is remembered. */
  async findAccounts(): Promise<void> {
    const { key } = this;
    const { data } = await this.read<{ data: Account[] }>('/v1/messenger-accounts?limit=100');
    // The answer may come after another key was typed.
    if (key !== this.key) return;
    this.accounts = data;
    const { accountId } = this;
    const chosen = data.find(({ id }) => id === accountId) ?? (await this.findAccount(accountId)) ?? data[0];
    // Another key or account may have been typed meanwhile.
    if (chosen === undefined || key !== this.key || accountId !== this.accountId) return;
    if (!data.includes(chosen)) data.push(chosen);
    this.setId('messenger-accounts', chosen.id);
    const workspace = await this.read<{ organizationId: string }>(
      `/v1/workspaces/${chosen.workspaceId}`,
    ).catch(() => null);
    if (workspace !== null && key === this.key) this.setId('organizations', workspace.organizationId);
  }

  /** An account that the list is too short for; null if there is none. */
  private async findAccount(id: string): Promise<Account | null> {
    if (id === '') return null;
    return this.read<Account>(`/v1/messenger-accounts/${encodeURIComponent(id)}`).catch((error: Error) => {
      if (error instanceof RefusedError && error.status === 404) return null;
      throw error;
    });
  }

  private store(isKept: boolean): void {
    const text = JSON.stringify(this.stored);
    tabStorage.setItem(STORED_AS, text);
    if (isKept) browserStorage.setItem(STORED_AS, text);
    for (const listener of this.listeners) listener();
  }
}

function read(storage: typeof tabStorage): Partial<Stored> {
  try {
    return JSON.parse(storage.getItem(STORED_AS) ?? '{}');
  } catch {
    return {};
  }
}
