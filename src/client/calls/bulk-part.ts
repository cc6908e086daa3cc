import { ApiError, NoAnswerError, type ProblemDocument, type SwitchboardError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import { toApiError } from '../http/read-problem.ts';
import { copyOf, toRequestError } from '../http/request-error.ts';
import { type Doubts, inDoubt, lastOf, limitsOf, mayPass, retrying } from '../http/retry.ts';
import { type HttpRequest, notOfApi, send } from '../http/send.ts';
import type { TryOptions } from '../options.ts';
import { keyOfOtherKind } from './idempotency-key.ts';

// A timer may fire a little early.
const EARLY_MS = 5;

/** How an item has ended, whatever it is. */
export type Outcome = { ok: true } | { ok: false; error: SwitchboardError };

/** A call, an account or the like. Items are told apart by identity, not by value. */
export interface BulkItem {
  idempotencyKey: string | undefined;
}

/** The API's answer for one of the items. */
export interface BulkResult {
  status: number;
  body: object | null;
}

/** What differs between bulks of sync calls, of async calls, and of accounts. */
export interface BulkKind {
  /** The members of an outcome that the caller gets of an answer; null if that is the answer of the other kind of call. */
  show: (body: object) => object | null;
  /** Whether what was done is answered without a body. */
  isBodyless?: boolean;
  doubts: Doubts;
  /** What a refusal means for an item that an earlier request may have done: its error, or null for success. Default: `inDoubt`. */
  afterDoubt?: (error: ApiError) => SwitchboardError | null;
}

/** The items of one request, and how they have ended. Those that failed in a way that may pass are open, and sent again. */
export class BulkPart<Item extends BulkItem> {
  private readonly items: readonly Item[];
  private readonly kind: BulkKind;
  private readonly ended = new Map<Item, Outcome>();
  /** How often each item was sent. */
  private readonly attempts = new Map<Item, number>();
  /** When each item may be sent again, by `performance.now()`. */
  private readonly notBefore = new Map<Item, number>();
  /** Items that were sent and neither answered nor refused with their request. */
  private readonly unanswered = new Set<Item>();
  /** Items that may have taken effect in an earlier request. */
  private readonly doubtful = new Set<Item>();

  constructor(items: readonly Item[], kind: BulkKind) {
    this.items = items;
    this.kind = kind;
  }

  /** The open items that may be sent now. */
  take(): Item[] {
    const now = performance.now();
    const taken = this.open().filter((item) => this.dueAt(item) <= now + EARLY_MS);
    // An item may have two places in a bulk.
    for (const item of new Set(taken)) {
      this.attempts.set(item, (this.attempts.get(item) ?? 0) + 1);
      if (this.unanswered.has(item)) this.doubtful.add(item);
      this.unanswered.add(item);
      this.ended.delete(item);
    }
    return taken;
  }

  /** Records that a request was refused: it has had no effect, but an earlier one may have had. */
  refused(sent: readonly Item[]): void {
    for (const item of sent) this.unanswered.delete(item);
  }

  /** Records the answers of items that were sent. Throws the error of the open item that may be sent first, if any is open. */
  record(sent: readonly Item[], results: readonly BulkResult[]): void {
    for (const [place, item] of sent.entries()) {
      const { status, body } = results[place] as BulkResult;
      this.unanswered.delete(item);
      if (status < 400) this.succeed(item, body);
      else this.refuse(item, toApiError(body as ProblemDocument));
    }
    const first = this.open().sort((a, b) => this.dueAt(a) - this.dueAt(b))[0];
    const outcome = first && this.ended.get(first);
    if (outcome?.ok === false) throw dueIn(this.dueAt(first as Item) - performance.now(), outcome.error);
  }

  /** The outcomes in the order of the items; `error` is that of the last request, if it failed. */
  outcomes(error: SwitchboardError | null): Outcome[] {
    return this.items.map((item) => {
      if (error !== null && !this.ended.has(item)) {
        const own = this.doubtful.has(item) ? (inDoubt(error) as SwitchboardError) : error;
        this.fail(item, copyOf(own));
      }
      const outcome = this.ended.get(item) as Outcome;
      if (!outcome.ok) outcome.error.attempts = this.attempts.get(item) ?? 0;
      return outcome;
    });
  }

  private open(): Item[] {
    return this.items.filter((item) => {
      const outcome = this.ended.get(item);
      return outcome === undefined || (!outcome.ok && mayPass(outcome.error));
    });
  }

  private dueAt(item: Item): number {
    return this.notBefore.get(item) ?? 0;
  }

  private succeed(item: Item, body: object | null): void {
    const shown = this.kind.show(body ?? {});
    if (shown === null) this.fail(item, keyOfOtherKind());
    else this.ended.set(item, { ok: true, ...shown });
  }

  private refuse(item: Item, error: ApiError): void {
    const { doubts, afterDoubt = inDoubt } = this.kind;
    const outcome = this.doubtful.has(item) ? (afterDoubt(error) as SwitchboardError | null) : error;
    if (outcome === null) this.ended.set(item, { ok: true });
    else this.fail(item, outcome);
    if (doubts(error)) this.doubtful.add(item);
    this.notBefore.set(item, performance.now() + (error.retryAfterMs ?? 0));
  }

  private fail(item: Item, error: SwitchboardError): void {
    error.idempotencyKey = item.idempotencyKey;
    this.ended.set(item, { ok: false, error });
  }
}

/**
 * Makes one request for some items, repeats it for those that fail in a way that may pass, and returns their outcomes in order. An error of
 * a request is the outcome of its items.
 */
export async function sendPart<Item extends BulkItem>(
  http: Http,
  items: readonly Item[],
  kind: BulkKind,
  requestFor: (items: Item[]) => HttpRequest,
  options: TryOptions,
): Promise<Outcome[]> {
  const part = new BulkPart(items, kind);
  const attempt = async (signal: AbortSignal) => {
    const sent = part.take();
    const answered = send<unknown>(http.target, requestFor(sent), signal);
    const { body } = await answered.catch((error) => {
      if (!kind.doubts(error)) part.refused(sent);
      throw error;
    });
    part.record(sent, resultsOf(body, sent.length, kind));
    return null;
  };
  const error = await retrying(limitsOf(options, http.defaults), attempt).catch(toRequestError);
  return part.outcomes(error);
}

// Any other answer is not from the API, and the items may be done.
function resultsOf(body: unknown, count: number, { isBodyless = false }: BulkKind): BulkResult[] {
  const { results } = (body ?? {}) as { results?: unknown };
  const isOne = (result: unknown) => isResult(result, isBodyless);
  if (Array.isArray(results) && results.length === count && results.every(isOne)) return results;
  throw new NoAnswerError(notOfApi());
}

function isResult(value: unknown, isBodyless: boolean): boolean {
  const { status, body } = (value ?? {}) as { status?: unknown; body?: unknown };
  if (typeof status !== 'number') return false;
  if (status < 400 && isBodyless) return true;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return status < 400 || ('code' in body && typeof body.code === 'string');
}

// Part of the time that the answer asked for may have passed.
function dueIn(waitMs: number, error: SwitchboardError): SwitchboardError {
  const last = lastOf(error);
  return last instanceof ApiError ? new ApiError(last.problem, Math.max(0, waitMs)) : error;
}
