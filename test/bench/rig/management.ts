import type { Problem } from '../../../src/problem.ts';

/** The ids one needs to make a call. */
export interface BenchAccount {
  id: string;
  workspaceId: string;
  userId: number;
}

/** Speaks to the management API and makes single calls, as the root key's holder. */
export class Management {
  readonly rootKey: string;
  private readonly baseUrl: string;

  constructor(port: number, rootKey: string) {
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.rootKey = rootKey;
  }

  async createWorkspace(name: string, organizationId: string): Promise<string> {
    return (
      await this.post<{ id: string }>('/v1/workspaces', {
        name,
        organizationId,
      })
    ).id;
  }

  async createOrganization(name: string): Promise<string> {
    return (await this.post<{ id: string }>('/v1/organizations', { name })).id;
  }

  /** What share of the workers a workspace is due, relative to others. */
  async setWeight(workspaceId: string, weight: number): Promise<void> {
    await this.send('PATCH', `/v1/workspaces/${workspaceId}`, JSON.stringify({ weight }));
  }

  createAccount(name: string, workspaceId: string): Promise<BenchAccount> {
    return this.post<BenchAccount>('/v1/messenger-accounts', {
      name,
      workspaceId,
      driver: 'sandbox',
    });
  }

  /** A key as a customer has it: of one organization, good for calls and nothing else. */
  async createCallKey(organizationId: string): Promise<string> {
    const wanted = { name: 'bench', scopes: ['calls:write'], organizationId };
    return (await this.post<{ secret: string }>('/v1/api-keys', wanted)).secret;
  }

  /** Calls a method and gives its result, or throws. */
  async call<Result>(account: BenchAccount, method: string, params: object): Promise<Result> {
    return (await this.post<{ result: Result }>(callPath(account, method), { params })).result;
  }

  async get<Answer>(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  private post<Answer>(path: string, body: object): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(body));
  }

  private async send<Answer>(method: string, path: string, body?: string): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.rootKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const answer = (await response.json()) as Answer | Problem;
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer as Answer;
  }
}

/** The address of a method call. */
export function callPath(account: BenchAccount, method: string): string {
  return `/workspaces/${account.workspaceId}/messenger-accounts/${account.id}/call/${method}`;
}

/** A GET as it goes onto the wire. */
export function toGetRequest(apiKey: string, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
}

/** A method call as it goes onto the wire. */
export function toCallRequest(apiKey: string, account: BenchAccount, method: string, params: object): string {
  const body = JSON.stringify({ params });
  return (
    `POST ${callPath(account, method)} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
