/** How long the console waits for an answer. */
const PATIENCE_MS = 20_000;

/** An error of the API, in the API's own words, which name the next step. */
export class ApiError extends Error {
  /** 0 if no answer came. */
  readonly status: number;
  readonly code: string;
  /** Of `offset_gone`: where to go on. */
  readonly earliestOffset: string | null;
  /** After how many seconds to ask again, if the API says so. */
  readonly retryAfter: number | null;

  constructor(status: number, code: string, message: string, hints: Partial<Problem> | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.earliestOffset = hints?.earliestOffset ?? null;
    this.retryAfter = hints?.retryAfter ?? null;
  }
}

interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

interface Problem {
  code: string;
  title: string;
  detail: string;
  earliestOffset: string;
  retryAfter: number;
}

/** A client of this gateway's API with one key. */
export class Api {
  readonly base: string;
  private readonly key: string;

  constructor(base: string, key: string) {
    this.base = base;
    this.key = key;
  }

  get<Body>(path: string): Promise<Body> {
    return this.send('GET', path);
  }

  /** Sends a request and returns the body of the answer. Throws an `ApiError` unless it succeeds. */
  async send<Body>(verb: string, path: string, asked: Asked = {}): Promise<Body> {
    const response = await this.open(verb, path, { signal: AbortSignal.timeout(PATIENCE_MS), ...asked });
    const text = await response.text().catch(() => {
      throw unreachable(verb);
    });
    return (text === '' ? null : JSON.parse(text)) as Body;
  }

  /** Sends a request and returns the answer without reading its body. */
  async open(verb: string, path: string, { body, headers, signal }: Asked = {}): Promise<Response> {
    const response = await fetch(`${this.base}${path}`, {
      method: verb,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      cache: 'no-store',
    }).catch((error: Error) => {
      throw error.name === 'AbortError' ? error : unreachable(verb);
    });
    if (response.ok) return response;
    const { status } = response;
    const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
    // Not the API's own, but for example that of a proxy in front of it. HTTP/2 has no texts for statuses.
    const detail = problem?.detail ?? problem?.title ?? `The answer was ${status}, without a reason.`;
    throw new ApiError(status, problem?.code ?? String(status), detail, problem);
  }
}

function unreachable(verb: string): ApiError {
  const asked = 'The API does not answer. Check that it runs.';
  const done =
    'No answer came, so it may be done or not. Check that the API runs, and look before you repeat it.';
  return new ApiError(0, 'unreachable', verb === 'GET' ? asked : done);
}

/** A path with the query parameters that have a value. */
export function withQuery(path: string, query: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
