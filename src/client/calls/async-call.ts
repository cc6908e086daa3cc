import type { MethodName } from '../../tl/tl-json.ts';
import { ApiError, NoAnswerError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import { toApiError } from '../http/read-problem.ts';
import { type Limits, limitsOf, mayPass } from '../http/retry.ts';
import { notOfApi } from '../http/send.ts';
import { sleep } from '../http/sleep.ts';
import type { TryOptions } from '../options.ts';
import type { CallRecord } from '../records.ts';
import type { CallAnswer } from './call-answer.ts';

const WAIT_MAX_SECONDS = 30;
// The rest of a request's time is for the network, and to repeat the request.
const WAIT_SHARE = 2 / 3;
const PAUSE_MS = 1_000;

/** An async call: it is recorded, and runs even if this program ends. */
export class AsyncCall<Name extends MethodName = MethodName> {
  readonly id: string;
  // One that is only declared private would be logged, and written as JSON, with the key.
  readonly #http: Http;

  constructor(http: Http, id: string) {
    this.#http = http;
    this.id = id;
  }

  /**
   * Waits for the end of the call and gives its answer. Throws an `ApiError` if it failed, was canceled or expired. It waits until the
   * call has ended, or the signal is aborted; the other options hold for each request.
   */
  async outcome(options: TryOptions = {}): Promise<CallAnswer<Name>> {
    const wait = waitSeconds(limitsOf(options, this.#http.defaults));
    for (;;) {
      const call = await this.next(wait, options);
      const { status, result, txid, error } = call;
      if (status === 'succeeded') return { result, txid } as CallAnswer<Name>;
      if (!isOpen(call) && error !== null) throw toApiError(error);
      if (wait === 0) await sleep(PAUSE_MS, options.signal);
    }
  }

  /** The call as it is now. */
  status(options: TryOptions = {}): Promise<CallRecord> {
    return this.ask('', options);
  }

  /** Cancels the call, unless it has ended: that is an `ApiError` with the code `call_ended`. */
  async cancel(options: TryOptions = {}): Promise<void> {
    await this.#http.request({ method: 'DELETE', path: this.path }, options);
  }

  /** The call after at most so many seconds. */
  private async next(wait: number, options: TryOptions): Promise<CallRecord> {
    if (wait === 0) return this.ask('', options);
    try {
      // Not repeated: while the key has its maximum of waits open, each repetition is refused, though the call may have ended.
      return await this.ask(`?wait=${wait}`, { ...options, attempts: 1 });
    } catch (error) {
      if (!mayPass(error)) throw error;
      const call = await this.ask('', options);
      const pauseMs = (error instanceof ApiError && error.retryAfterMs) || PAUSE_MS;
      if (isOpen(call)) await sleep(pauseMs, options.signal);
      return call;
    }
  }

  private get path(): string {
    return `/v1/calls/${encodeURIComponent(this.id)}`;
  }

  private async ask(query: string, options: TryOptions): Promise<CallRecord> {
    const request = { method: 'GET', path: `${this.path}${query}` } as const;
    const { body } = await this.#http.request<CallRecord>(request, options);
    if (!isCall(body ?? {})) throw new NoAnswerError(notOfApi());
    return body;
  }
}

/** Whether an answer is the record of an async call, as the API gives it. */
export function isCall({ status, error }: Partial<CallRecord>): boolean {
  const isGoingWell = ['queued', 'running', 'succeeded'].includes(String(status));
  const hasFailed = ['failed', 'canceled', 'expired'].includes(String(status));
  return isGoingWell || (hasFailed && typeof error?.code === 'string');
}

function isOpen({ status }: CallRecord): boolean {
  return status === 'queued' || status === 'running';
}

/** How many seconds the API may wait for the end of a call before it answers a request that has these limits. */
function waitSeconds({ attemptMs, timeoutMs }: Limits): number {
  const seconds = (Math.min(attemptMs, timeoutMs) / 1_000) * WAIT_SHARE;
  return Math.max(0, Math.min(Math.floor(seconds), WAIT_MAX_SECONDS));
}
