import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** What came back: `status` 0 when nothing did, and `code` then says why. */
export interface HttpAnswer {
  status: number;
  /** `refused`: never sent; `lost`: the connection broke; `unanswered`: nothing came in time. */
  code: 'answered' | 'refused' | 'lost' | 'unanswered';
  headers: IncomingHttpHeaders;
  body: string;
}

const CONNECTIONS_MAX = 512;

/** Sends requests to one API process over connections that are kept; it never repeats one by itself. */
export class HttpClient {
  readonly url: string;
  private readonly key: string;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, scheduling: 'lifo' });

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  /** Sends a request and gives what came of it, within `patienceMs`. */
  send(
    method: string,
    path: string,
    options: { body?: string; headers?: Record<string, string>; patienceMs: number },
  ): Promise<HttpAnswer> {
    const { body, patienceMs } = options;
    return new Promise((resolve) => {
      const settle = (answer: HttpAnswer) => {
        clearTimeout(timer);
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
      sent.on('error', (error: Error & { code?: string }) => {
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
