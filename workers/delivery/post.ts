import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { VERSION } from '../../src/version.ts';
import type { HostAsker, HostLookups } from '../../src/webhooks/host-lookups.ts';
import { CLOUD_ADDRESSES, HOST_FAULT, isWithoutAddress } from '../../src/webhooks/target.ts';
import { IdleConnections } from './idle-connections.ts';
import { openLookup, PrivateAddressError, refusePrivateHost } from './public-lookup.ts';
import { boundTickets, RECEIVER_TLS } from './receiver-tls.ts';

// Of an answer with its head, as they are sent: its content is of no use, and reading it takes the thread.
const READ_BYTES_MAX = 64 * 1024;
// A receiver may send a body byte by byte.
const READ_PIECES_MAX = 1_000;
// Each may be as long as a head, and there could be thousands in what is read at once.
const INTERIM_ANSWERS_MAX = 10;
const ERROR_CHARACTERS = 200;

// The second where the connection was closed before all of a large body was written.
const STALE_CODES: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

/** The result of one attempt: the answer's status, or why there was no answer. */
export interface PostResult {
  statusCode: number | null;
  retryAfter: string | undefined;
  error: string | null;
  durationMs: number;
}

/**
 * Posts deliveries to receivers, over connections that are kept alive. Its agents check the address of each connection; `fetch` would let
 * `https://2130706433/` pass.
 */
export class Poster {
  private readonly idle = new IdleConnections();
  private readonly http: RequestFilteringHttpAgent;
  private readonly https: RequestFilteringHttpsAgent;
  private readonly timeoutMs: number;
  private readonly allowPrivate: boolean;
  private readonly hosts: HostLookups;
  private isClosed = false;

  /** `allowPrivate` allows addresses that are not on the public Internet; `timeoutMs` bounds a whole exchange. */
  constructor({
    allowPrivate,
    timeoutMs,
    hosts,
  }: {
    allowPrivate: boolean;
    timeoutMs: number;
    hosts: HostLookups;
  }) {
    const options = {
      keepAlive: true,
      timeout: 2 * timeoutMs,
      allowPrivateIPAddress: allowPrivate,
      allowMetaIPAddress: allowPrivate,
      denyIPAddressList: allowPrivate ? [] : CLOUD_ADDRESSES,
    };
    this.http = this.idle.bound(new RequestFilteringHttpAgent(options));
    this.https = this.idle.bound(new RequestFilteringHttpsAgent({ ...options, ...RECEIVER_TLS }));
    this.timeoutMs = timeoutMs;
    this.allowPrivate = allowPrivate;
    this.hosts = hosts;
  }

  /** One attempt. It never throws, follows no redirect, and reads no more of the answer than it has to. */
  async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    asker: HostAsker,
  ): Promise<PostResult> {
    const started = performance.now();
    const signal = AbortSignal.timeout(this.timeoutMs);
    const answered = await this.exchange(url, headers, body, asker, signal).catch((error: Error) => ({
      statusCode: null,
      retryAfter: undefined,
      error: signal.aborted ? `no answer within ${this.timeoutMs} ms` : this.reasonOf(error),
    }));
    return { ...answered, durationMs: Math.round(performance.now() - started) };
  }

  /** Cuts the exchanges under way, which then never end: the process does, and their jobs run elsewhere. */
  close(): void {
    this.isClosed = true;
    this.http.destroy();
    this.https.destroy();
  }

  /** The reason of a failed connection for people, without the addresses that a name resolved to. */
  private reasonOf(error: Error & { code?: string }): string {
    const isPrivate =
      error instanceof PrivateAddressError || error.message.includes('is not allowed. Because');
    if (isPrivate || (!this.allowPrivate && isWithoutAddress(error))) return `the ${HOST_FAULT}`;
    return (error.code ?? error.message).slice(0, ERROR_CHARACTERS);
  }

  private exchange(
    url: string,
    headers: Record<string, string>,
    body: string,
    asker: HostAsker,
    signal: AbortSignal,
  ): Promise<Omit<PostResult, 'durationMs'>> {
    const isSecure = url.startsWith('https:');
    const send = isSecure ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        if (!this.isClosed) reject(error);
      };
      // The agents refuse private addresses; this also refuses others that are not global unicast.
      if (!this.allowPrivate) refusePrivateHost(new URL(url));
      const sent = send(url, {
        method: 'POST',
        lookup: openLookup((hostname) => this.hosts.find(asker, hostname), {
          allowPrivate: this.allowPrivate,
        }),
        agent: isSecure ? this.https : this.http,
        signal,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': `Switchboard/${VERSION}`,
        },
      });
      let isAnswered = false;
      let bytesBefore = 0;
      sent.on('socket', (socket) => {
        bytesBefore = socket.bytesRead;
        boundTickets(socket);
        this.idle.use(socket, asker.organizationId);
      });
      let interimAnswers = 0;
      sent.on('information', () => {
        interimAnswers += 1;
        if (interimAnswers > INTERIM_ANSWERS_MAX) sent.destroy(new Error('too many interim answers'));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver has just closed a kept-alive connection, which says nothing about its health.
        const isStale = sent.reusedSocket && !isAnswered && !this.isClosed && STALE_CODES.has(error.code);
        if (isStale) resolve(this.exchange(url, headers, body, asker, signal));
        else fail(error);
      });
      // Some connections end with neither an answer nor an error.
      sent.on('close', () => fail(new Error('the connection ended without an answer')));
      // Without a listener, Node reports nothing about a 101 answer, not even a timeout.
      sent.on('upgrade', ({ statusCode = null }, socket) => {
        socket.destroy();
        resolve({ statusCode, retryAfter: undefined, error: null });
      });
      sent.on('response', (response) => {
        isAnswered = true;
        const answer = {
          statusCode: response.statusCode ?? null,
          retryAfter: response.headers['retry-after'],
          error: null,
        };
        let pieces = 0;
        // Reading the answer lets the connection be used again; its content is of no other use.
        response.on('data', () => {
          pieces += 1;
          if (pieces <= READ_PIECES_MAX && response.socket.bytesRead - bytesBefore <= READ_BYTES_MAX) return;
          resolve(answer);
          response.removeAllListeners('data').destroy();
        });
        response.on('end', () => resolve(answer));
        response.on('error', fail);
        response.on('close', () => fail(new Error('the answer ended too early')));
      });
      sent.end(body);
    });
  }
}
