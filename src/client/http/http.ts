import type { ClientOptions, TryOptions } from '../options.ts';
import { type Doubts, leavesInDoubt, limitsOf, retrying } from './retry.ts';
import { type Answer, type HttpRequest, send, type Target } from './send.ts';

/** Whether a text is an absolute HTTP address that paths can be added to: without user (`fetch` refuses one), query and fragment. */
export function isAddress(url: string): boolean {
  if (!URL.canParse(url) || /[?#]/.test(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && `${username}${password}` === '';
}

/** The error text for an address that `isAddress` refuses. It leaves out user and password. */
export function refusalOfAddress(url: string): string {
  const shown = String(url).replace(/^([a-z]+:\/\/)?.*@/is, '$1…@');
  return `${JSON.stringify(shown)} is no address of an API: write it whole, without user and query, such as http://127.0.0.1:3000.`;
}

/** Whether a text may be an API key: printable ASCII characters only, and no spaces within. */
export function isKey(text: unknown): boolean {
  return typeof text === 'string' && /^[\x21-\x7e]*$/.test(text.trim());
}

/** Makes requests that are safe to repeat, and repeats those that fail in a way that may pass. */
export class Http {
  readonly target: Target;
  readonly defaults: Omit<TryOptions, 'signal'>;

  constructor({ url, key, fetch = globalThis.fetch.bind(globalThis), ...defaults }: ClientOptions) {
    if (!isAddress(url)) throw new TypeError(refusalOfAddress(url));
    if (!isKey(key))
      throw new TypeError('The key is no API key: that is a text of printable ASCII characters only.');
    this.target = { url: new URL(url).href.replace(/\/+$/, ''), key, fetch };
    this.defaults = defaults;
  }

  /** `doubts` says after which errors the request may have taken effect nevertheless. */
  request<Body>(
    request: HttpRequest,
    options: TryOptions,
    doubts: Doubts | undefined = request.method === 'POST' ? leavesInDoubt : undefined,
  ): Promise<Answer<Body>> {
    const { target, defaults } = this;
    return retrying(limitsOf(options, defaults), (signal) => send<Body>(target, request, signal), doubts);
  }
}
