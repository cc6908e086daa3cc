const TIMEOUT_MS = 60_000;

/** Reads and creates records over HTTP. */
export interface ManagementClient {
  /** The JSON at a path, or null if there is no such thing. It rejects after `timeoutMs`, by default a minute. */
  find<T>(path: string, options?: { timeoutMs?: number }): Promise<T | null>;
  /** The first page of a list. */
  list<T>(path: string): Promise<T[]>;
  /** Creates a record and returns it. */
  create<T>(path: string, body: object): Promise<T>;
}

/** A client of the API's management endpoints. */
export function openManagementClient(origin: string, key: string): ManagementClient {
  const request = async <T>(
    method: string,
    path: string,
    { body, timeoutMs = TIMEOUT_MS }: { body?: object; timeoutMs?: number } = {},
  ): Promise<T | null> => {
    const response = await fetch(`${origin}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 404) return null;
    if (!response.ok)
      throw new Error(`${method} /v1/${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    find: (path, options) => request('GET', path, options),
    async list<T>(path: string) {
      const page = await request<{ data: T[] }>('GET', path);
      return page?.data ?? [];
    },
    async create<T>(path: string, body: object) {
      const record = await request<T>('POST', path, { body });
      if (record === null) throw new Error(`POST /v1/${path} answered 404.`);
      return record;
    },
  };
}
