import { ApiError, NoAnswerError, type ProblemDocument, type SwitchboardError } from '../errors.ts';
import { mayPass } from '../http/retry.ts';
import type { PreparedCall } from './call-answer.ts';

/** How a call has ended, whatever its method. */
export type Outcome = { ok: true } | { ok: false; error: SwitchboardError };

/** What the API answers for one of the calls. */
export interface BulkResult {
  status: number;
  body: unknown;
}

/** The calls of one request, and how they have ended. Those that failed in a way that may pass are open, and sent again. */
export class BulkPart {
  private readonly calls: readonly PreparedCall[];
  private readonly show: (body: unknown) => object;
  private readonly ended = new Map<PreparedCall, Outcome>();

  constructor(calls: readonly PreparedCall[], show: (body: unknown) => object) {
    this.calls = calls;
    this.show = show;
  }

  /** The open calls. */
  open(): PreparedCall[] {
    return this.calls.filter((call) => {
      const outcome = this.ended.get(call);
      return outcome === undefined || (!outcome.ok && mayPass(outcome.error));
    });
  }

  /** Takes the answers of calls that were sent. Throws the error that takes longest to pass, if any may pass. */
  note(sent: readonly PreparedCall[], results: readonly BulkResult[]): void {
    const passing: ApiError[] = [];
    for (const [place, call] of sent.entries()) {
      const { status, body } = results[place] as BulkResult;
      if (status < 400) {
        this.ended.set(call, { ok: true, ...this.show(body) });
        continue;
      }
      const error = toError(body as ProblemDocument);
      this.fail(call, error);
      if (mayPass(error)) passing.push(error);
    }
    const [longest] = passing.sort((a, b) => (b.retryAfterMs ?? 0) - (a.retryAfterMs ?? 0));
    if (longest !== undefined) throw longest;
  }

  /** The outcomes in the order of the calls; `error` is that of the last request, if it failed. */
  outcomes(error: SwitchboardError | null): Outcome[] {
    return this.calls.map((call) => {
      if (error !== null && !this.ended.has(call)) this.fail(call, copyOf(error));
      return this.ended.get(call) as Outcome;
    });
  }

  private fail(call: PreparedCall, error: SwitchboardError): void {
    error.idempotencyKey = call.idempotencyKey;
    this.ended.set(call, { ok: false, error });
  }
}

function toError(problem: ProblemDocument): ApiError {
  const { seconds } = problem;
  return new ApiError(problem, typeof seconds === 'number' ? seconds * 1_000 : null);
}

/** Each call has an error with its own key. */
function copyOf(error: SwitchboardError): SwitchboardError {
  const copy =
    error instanceof ApiError
      ? new ApiError(error.problem, error.retryAfterMs)
      : new NoAnswerError(error.cause);
  copy.attempts = error.attempts;
  return copy;
}
