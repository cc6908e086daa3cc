import { ApiError, type ProblemDocument } from '../errors.ts';

const PASSING = [408, 425, 429, 502, 503, 504];

/** The error of an answer. One that is not Switchboard's, such as that of a proxy, gets the code `http_` and its status. */
export function readProblem({ status, headers }: Response, text: string): ApiError {
  const problem = parse(text) ?? {
    type: 'about:blank',
    title: titleOf(status, headers.get('location')),
    status,
    code: `http_${status}`,
    retryable: PASSING.includes(status),
  };
  return new ApiError(problem, readRetryAfter(headers.get('retry-after')));
}

function titleOf(status: number, location: string | null): string {
  return location === null
    ? `The answer was ${status}.`
    : `The answer is a redirect to ${location}: give the address that the API has there.`;
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
