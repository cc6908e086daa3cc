import type { ClientOptions, TryOptions } from '../options.ts';
import { type Doubts, leavesInDoubt, limitsOf, retrying } from './retry.ts';
import { type Answer, type HttpRequest, send, type Target } from './send.ts';

/** Whether a text is the whole address of something that is asked by HTTP. `fetch` takes none with a user, and paths are added to it. */
export function isAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, search, hash } = new URL(url);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** What is wrong with a text that is no address, without a password in it. */
export function refusalOfAddress(url: string): string {
  const shown = String(url).replace(/\/\/[^/]*@/, '//…@');
  return `${JSON.stringify(shown)} is no address of an API: write it whole, without user and query, such as http://127.0.0.1:3000.`;
}

/** Whether a text may be an API key: those have printable ASCII characters only, and others fit into no header. */
export function isKey(text: unknown): boolean {
  return typeof text === 'string' && /^[\x21-\x7e]*$/.test(text.trim());
}

/** Makes requests that are safe to repeat, and repeats them where that may help. */
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

  /** `doubts` says after which errors a request that changes something may have done so. */
  request<Body>(
    request: HttpRequest,
    options: TryOptions,
    doubts: Doubts | undefined = request.method === 'POST' ? leavesInDoubt : undefined,
  ): Promise<Answer<Body>> {
    const { target, defaults } = this;
    return retrying(limitsOf(options, defaults), (signal) => send<Body>(target, request, signal), doubts);
  }
}
