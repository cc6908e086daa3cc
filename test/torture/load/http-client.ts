import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** What came back: `status` 0 when nothing did, and `code` then says why. */
export interface HttpAnswer {
  status: number;
  /** `refused`: never sent; `lost`: the connection broke; `hung up`: by the caller; `unanswered`: nothing came in time. */
  code: 'answered' | 'refused' | 'lost' | 'hung up' | 'unanswered';
  headers: IncomingHttpHeaders;
  body: string;
}

const CONNECTIONS_MAX = 2_048;
// A process that is not there is not asked thousands of times a second whether it is back.
const REFUSED_MS = 200;

/** Sends requests to one API process over connections that are kept; it never repeats one by itself. */
export class HttpClient {
  readonly url: string;
  private readonly key: string;
  private refusedUntil = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, scheduling: 'lifo' });

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  /** Sends a request and gives what came of it, within `patienceMs`. */
  send(
    method: string,
    path: string,
    options: {
      body?: string;
      headers?: Record<string, string>;
      patienceMs: number;
      /** When to break the connection off in the middle. */
      hangUpMs?: number | null;
    },
  ): Promise<HttpAnswer> {
    const { body, patienceMs, hangUpMs = null } = options;
    if (performance.now() < this.refusedUntil)
      return Promise.resolve({ status: 0, code: 'refused', headers: {}, body: '' });
    return new Promise((resolve) => {
      const settle = (answer: HttpAnswer) => {
        clearTimeout(timer);
        clearTimeout(hangUp);
        resolve(answer);
      };
      const fail = (code: HttpAnswer['code']) => settle({ status: 0, code, headers: {}, body: '' });
      const sent = request(`${this.url}${path}`, {
        method,
        agent: this.agent,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
          ...options.headers,
        },
      });
      const timer = setTimeout(() => {
        fail('unanswered');
        sent.destroy();
      }, patienceMs);
      const hangUp =
        hangUpMs === null
          ? undefined
          : setTimeout(() => {
              fail('hung up');
              sent.destroy();
            }, hangUpMs);
      sent.on('error', (error: Error & { code?: string }) => {
        if (error.code === 'ECONNREFUSED') this.refusedUntil = performance.now() + REFUSED_MS;
        fail(error.code === 'ECONNREFUSED' ? 'refused' : 'lost');
      });
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', () => fail('lost'));
        response.on('close', () => {
          if (!response.complete) return fail('lost');
          const { statusCode: status = 0, headers } = response;
          settle({ status, code: 'answered', headers, body: text });
        });
      });
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
