import { PROBLEMS, type ProblemCode, type ProblemKind } from './problem-table.ts';

/** One wrong value of a request: its RFC 6901 pointer, and what is wrong. */
export interface FieldError {
  pointer: string;
  detail: string;
}

/** The default `Retry-After`: without one, some clients wait for ever. */
export const RETRY_AFTER_SECONDS = 1;

let catalogue = '/problems/';

const UNPLACED = '{"type":"/problems/';

/** Sets the base of the `type` of problems: the catalogue at the API's public address and base path. */
export function placeCatalogue(publicUrl: string): void {
  catalogue = `${publicUrl.replace(/\/+$/, '')}/problems/`;
}

/** Adds that base to a problem written by a process that does not know the public address. */
export function placeProblem(json: string): string {
  return json.startsWith(UNPLACED) ? `{"type":"${catalogue}${json.slice(UNPLACED.length)}` : json;
}

export interface ProblemOptions {
  detail?: string;
  errors?: FieldError[];
  /** The next step, after the first of the errors. */
  next?: string;
  headers?: Record<string, string>;
  /** Further members of the problem document. */
  members?: Record<string, unknown>;
  cause?: unknown;
}

// The first error goes into the detail too, as many callers read only that.
function describeFirst({ errors = [], next }: ProblemOptions): string | null {
  const [first, ...others] = errors;
  if (first === undefined) return null;
  const { pointer, detail } = first;
  const rest = others.length === 0 ? '' : ` \`errors\` has ${others.length} more.`;
  const step = next === undefined ? '' : ` ${next}`;
  return `${pointer === '' ? 'The body' : pointer}: ${detail}${/[.?]$/.test(detail) ? '' : '.'}${rest}${step}`;
}

// The name of a member may be cut within a character, or hold half of one, which many parsers of JSON refuse.
function wellFormed({ pointer, detail }: FieldError): FieldError {
  return { pointer: pointer.toWellFormed(), detail: detail.toWellFormed() };
}

/** A failure with a documented code; it answers as RFC 9457 `application/problem+json`. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  readonly detail: string;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options?: ProblemOptions);
  constructor(code: string, options: ProblemOptions, kind: ProblemKind);
  constructor(code: string, options: ProblemOptions = {}, kind: ProblemKind = PROBLEMS[code as ProblemCode]) {
    const { stackTraceLimit } = Error;
    // Capturing a stack takes longer than answering, and only these two are logged with one.
    if (code !== 'internal' && code !== 'unavailable') Error.stackTraceLimit = 0;
    super(options.detail ?? kind.title, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = kind.status;
    this.title = kind.title;
    this.retryable = kind.retryable;
    // A driver's refusal may come without.
    const detail = options.detail ?? describeFirst(options) ?? (kind.next as string | undefined);
    this.detail = detail?.toWellFormed() as string;
    this.options = options;
  }

  /** The seconds of `Retry-After`; null if there is none. */
  get retryAfter(): number | null {
    const seconds = this.options.headers?.['retry-after'];
    if (seconds !== undefined) return Number(seconds);
    return this.status === 503 ? RETRY_AFTER_SECONDS : null;
  }

  toJSON(): Record<string, unknown> {
    const { errors, members } = this.options;
    return {
      type: catalogue + this.code,
      title: this.title,
      status: this.status,
      code: this.code,
      detail: this.detail,
      ...(errors === undefined ? {} : { errors: errors.map(wellFormed) }),
      retryable: this.retryable,
      ...(this.retryAfter === null ? {} : { retryAfter: this.retryAfter }),
      ...members,
    };
  }
}
