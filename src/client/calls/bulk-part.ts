import { ApiError, type ProblemDocument, type SwitchboardError } from '../errors.ts';
import { copyOf } from '../http/request-error.ts';
import { type Doubts, inDoubt, mayPass } from '../http/retry.ts';
import type { PreparedCall } from './call-answer.ts';

// A timer may end a little before its time.
const EARLY_MS = 5;

// The API's code for a key that was used with other params.
const OTHER_PARAMS: ProblemDocument = {
  type: 'about:blank',
  title: 'The Idempotency-Key was used for another kind of call',
  status: 422,
  code: 'idempotency_key_reused',
  detail: 'Of an async call and one that is not, each needs a key of its own.',
  retryable: false,
};

/** How a call has ended, whatever its method. */
export type Outcome = { ok: true } | { ok: false; error: SwitchboardError };

/** The API's answer for one of the calls. */
export interface BulkResult {
  status: number;
  body: unknown;
}

/** What differs between bulks of sync and of async calls. */
export interface BulkKind {
  headers: Record<string, string>;
  /** What the caller gets of an answer; null if that is of the other kind. */
  show: (body: unknown) => object | null;
  doubts: Doubts;
}

/** The calls of one request, and how they have ended. Those that failed in a way that may pass are open, and sent again. */
export class BulkPart {
  private readonly calls: readonly PreparedCall[];
  private readonly show: (body: unknown) => object | null;
  private readonly doubts: Doubts;
  private readonly ended = new Map<PreparedCall, Outcome>();
  /** How often each call was sent. */
  private readonly attempts = new Map<PreparedCall, number>();
  private readonly notBefore = new Map<PreparedCall, number>();
  /** Calls that were sent and neither answered nor refused with their request. */
  private readonly unanswered = new Set<PreparedCall>();
  /** Calls that may have taken effect in an earlier request. */
  private readonly doubtful = new Set<PreparedCall>();

  constructor(calls: readonly PreparedCall[], { show, doubts }: BulkKind) {
    this.calls = calls;
    this.show = show;
    this.doubts = doubts;
  }

  /** The open calls that may be sent now. */
  take(): PreparedCall[] {
    const now = performance.now();
    const taken = this.open().filter((call) => (this.notBefore.get(call) ?? 0) <= now + EARLY_MS);
    for (const call of taken) {
      this.attempts.set(call, (this.attempts.get(call) ?? 0) + 1);
      if (this.unanswered.has(call)) this.doubtful.add(call);
      this.unanswered.add(call);
      this.ended.delete(call);
    }
    return taken;
  }

  /** Records that a request was refused: it has had no effect, but an earlier one may have had. */
  refused(sent: readonly PreparedCall[]): void {
    for (const call of sent) this.unanswered.delete(call);
  }

  /** Records the answers of calls that were sent. Throws the error of the open call that may be sent first, if any is open. */
  record(sent: readonly PreparedCall[], results: readonly BulkResult[]): void {
    for (const [place, call] of sent.entries()) {
      const { status, body } = results[place] as BulkResult;
      this.unanswered.delete(call);
      if (status < 400) {
        const shown = this.show(body);
        if (shown === null) this.fail(call, new ApiError(OTHER_PARAMS));
        else this.ended.set(call, { ok: true, ...shown });
        continue;
      }
      const error = toError(body as ProblemDocument);
      this.fail(call, this.doubtful.has(call) ? (inDoubt(error) as SwitchboardError) : error);
      if (this.doubts(error)) this.doubtful.add(call);
      this.notBefore.set(call, performance.now() + (error.retryAfterMs ?? 0));
    }
    const first = this.open().sort((a, b) => this.dueAt(a) - this.dueAt(b))[0];
    const outcome = first && this.ended.get(first);
    if (outcome?.ok === false) throw outcome.error;
  }

  /** The outcomes in the order of the calls; `error` is that of the last request, if it failed. */
  outcomes(error: SwitchboardError | null): Outcome[] {
    return this.calls.map((call) => {
      if (error !== null && !this.ended.has(call)) {
        const own = this.doubtful.has(call) ? (inDoubt(error) as SwitchboardError) : error;
        this.fail(call, copyOf(own));
      }
      const outcome = this.ended.get(call) as Outcome;
      if (!outcome.ok) outcome.error.attempts = this.attempts.get(call) ?? 0;
      return outcome;
    });
  }

  private open(): PreparedCall[] {
    return this.calls.filter((call) => {
      const outcome = this.ended.get(call);
      return outcome === undefined || (!outcome.ok && mayPass(outcome.error));
    });
  }

  private dueAt(call: PreparedCall): number {
    return this.notBefore.get(call) ?? 0;
  }

  private fail(call: PreparedCall, error: SwitchboardError): void {
    error.idempotencyKey = call.idempotencyKey;
    this.ended.set(call, { ok: false, error });
  }
}

function toError(problem: ProblemDocument): ApiError {
  const { retryAfter } = problem;
  return new ApiError(problem, retryAfter === undefined ? null : retryAfter * 1_000);
}
