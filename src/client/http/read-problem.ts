import { ApiError, type ProblemDocument } from '../errors.ts';

// 520 to 524 are what CDNs say of a server that is away.
const PASSING = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524];

/** The error of an answer. One that is not Switchboard's, such as that of a proxy, gets the code `http_` and its status. */
export function readProblem(response: Response, text: string): ApiError {
  const { status, headers } = response;
  const problem = parse(text) ?? {
    type: 'about:blank',
    title: titleOf(response),
    status,
    code: `http_${status}`,
    retryable: PASSING.includes(status),
  };
  return new ApiError(problem, readRetryAfter(headers.get('retry-after')));
}

/** The error of a problem that is part of an answer, such as that of one call of a bulk. */
export function toApiError(problem: ProblemDocument): ApiError {
  const { retryAfter } = problem;
  return new ApiError(problem, retryAfter === undefined ? null : retryAfter * 1_000);
}

function titleOf({ status, headers, type }: Response): string {
  const location = headers.get('location');
  // Browsers tell nothing else of it.
  const isHidden = type === 'opaqueredirect';
  if (location === null && !isHidden) return `The answer was ${status}.`;
  return `The answer is a redirect${isHidden ? '' : ` to ${location}`}: give the address that the API has there.`;
}

/** The milliseconds of a `Retry-After` header, which has seconds or a date; null if there is none. */
export function readRetryAfter(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function parse(text: string): ProblemDocument | null {
  try {
    const problem = JSON.parse(text) as Partial<ProblemDocument> | null;
    // Others' errors may have a code too, which is not one of a call.
    const isOwn = typeof problem?.code === 'string' && typeof problem.retryable === 'boolean';
    return isOwn ? (problem as ProblemDocument) : null;
  } catch {
    return null;
  }
}
