import type { MethodName } from '../../tl/tl-json.ts';
import { ApiError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import type { TryOptions } from '../options.ts';
import type { CallRecord } from '../records.ts';
import type { CallAnswer } from './call-answer.ts';

const WAIT_SECONDS = 30;

/** An async call: it is recorded, and runs even if this program ends. */
export class AsyncCall<Name extends MethodName = MethodName> {
  readonly id: string;
  private readonly http: Http;

  constructor(http: Http, id: string) {
    this.http = http;
    this.id = id;
  }

  /**
   * Waits for the end of the call and gives its answer. Throws an `ApiError` if it failed, was canceled or expired. It waits until the
   * call has ended, or the signal is aborted; the other options hold for each question to the API.
   */
  async outcome(options: TryOptions = {}): Promise<CallAnswer<Name>> {
    for (;;) {
      const { status, result, txid, error } = await this.ask(`?wait=${WAIT_SECONDS}`, options);
      if (status === 'succeeded') return { result, txid } as CallAnswer<Name>;
      if (status !== 'queued' && status !== 'running' && error !== null) throw new ApiError(error);
    }
  }

  /** The call as it is now. */
  status(options: TryOptions = {}): Promise<CallRecord> {
    return this.ask('', options);
  }

  /** Cancels the call, unless it has ended: that is an `ApiError` with the code `call_ended`. */
  async cancel(options: TryOptions = {}): Promise<void> {
    await this.http.request({ method: 'DELETE', path: this.path }, options);
  }

  private get path(): string {
    return `/v1/calls/${encodeURIComponent(this.id)}`;
  }

  private async ask(query: string, options: TryOptions): Promise<CallRecord> {
    const request = { method: 'GET', path: `${this.path}${query}` } as const;
    return (await this.http.request<CallRecord>(request, options)).body;
  }
}
