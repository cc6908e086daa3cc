/** One wrong value of a request: its RFC 6901 pointer, and what is wrong. */
export interface FieldError {
  pointer: string;
  detail: string;
}

interface ProblemKind {
  status: number;
  title: string;
  /** Whether the same request may succeed later without being changed. */
  retryable: boolean;
}

/** The table of error codes, with their statuses and whether to try again. Messenger errors have their own names. */
export const PROBLEMS = {
  invalid_json: {
    status: 400,
    title: 'The body is not valid JSON',
    retryable: false,
  },
  invalid_body: {
    status: 400,
    title: 'The body has the wrong shape',
    retryable: false,
  },
  invalid_params: {
    status: 400,
    title: 'The params do not fit the method',
    retryable: false,
  },
  invalid_query: {
    status: 400,
    title: 'A query parameter is wrong',
    retryable: false,
  },
  invalid_header: { status: 400, title: 'A header is wrong', retryable: false },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid for this list',
    retryable: false,
  },
  conflicting_parameters: {
    status: 400,
    title: 'Two parameters exclude each other',
    retryable: false,
  },
  invalid_offset: {
    status: 400,
    title: 'The offset is not valid',
    retryable: false,
  },
  bad_request: {
    status: 400,
    title: 'The request is malformed',
    retryable: false,
  },
  unauthorized: {
    status: 401,
    title: 'A valid API key is needed',
    retryable: false,
  },
  forbidden: {
    status: 403,
    title: 'The API key lacks the scope',
    retryable: false,
  },
  not_found: { status: 404, title: 'There is no such thing', retryable: false },
  unknown_method: {
    status: 404,
    title: 'There is no such method',
    retryable: false,
  },
  method_not_allowed: {
    status: 405,
    title: 'The verb is not allowed here',
    retryable: false,
  },
  not_acceptable: {
    status: 406,
    title: 'No acceptable representation',
    retryable: false,
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    retryable: true,
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with the present state',
    retryable: false,
  },
  not_empty: { status: 409, title: 'It still has children', retryable: false },
  account_unauthorized: {
    status: 409,
    title: 'The messenger account is not authorized',
    retryable: false,
  },
  call_in_flight: {
    status: 409,
    title: 'A call with this Idempotency-Key is under way',
    retryable: true,
  },
  canceled: {
    status: 409,
    title: 'The call was canceled before it ran',
    retryable: false,
  },
  call_ended: {
    status: 409,
    title: 'The call has ended',
    retryable: false,
  },
  call_expired: {
    status: 504,
    title: 'The call was not run by the time it expires',
    retryable: false,
  },
  offset_gone: {
    status: 410,
    title: 'The offset is no longer held',
    retryable: false,
  },
  reply_not_kept: {
    status: 410,
    title: 'The call took effect, and its reply was too large to be kept',
    retryable: false,
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    retryable: false,
  },
  call_too_large: {
    status: 413,
    title: 'The call would change more at once than one call may',
    retryable: false,
  },
  answers_too_large: {
    status: 413,
    title: 'The answers of one request are too large together',
    retryable: true,
  },
  uri_too_long: {
    status: 414,
    title: 'The address is too long',
    retryable: false,
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be application/json',
    retryable: false,
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another payload',
    retryable: false,
  },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    retryable: false,
  },
  internal: { status: 500, title: 'Switchboard failed', retryable: true },
  method_not_implemented: {
    status: 501,
    title: 'The method is known but not executed',
    retryable: false,
  },
  outcome_unknown: {
    status: 502,
    title: 'It is not known whether the call took effect',
    retryable: false,
  },
  messenger_failed: {
    status: 502,
    title: 'The messenger failed',
    retryable: true,
  },
  overloaded: { status: 503, title: 'Too much is under way', retryable: true },
  unavailable: {
    status: 503,
    title: 'Switchboard cannot serve this now',
    retryable: true,
  },
  shutting_down: {
    status: 503,
    title: 'This process is stopping',
    retryable: true,
  },
  call_timeout: {
    status: 504,
    title: 'The call did not run in time and never will',
    retryable: true,
  },
  workspace_full: {
    status: 507,
    title: 'The workspace keeps as many bytes as it may',
    retryable: false,
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemOptions {
  detail?: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** Further members of the problem document. */
  members?: Record<string, unknown>;
  cause?: unknown;
}

/** A failure with a documented code; it answers as RFC 9457 `application/problem+json`. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
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
    this.options = options;
  }

  toJSON(): Record<string, unknown> {
    const { detail, errors, members } = this.options;
    return {
      type: 'about:blank',
      title: this.title,
      status: this.status,
      code: this.code,
      ...(detail === undefined ? {} : { detail }),
      ...(errors === undefined ? {} : { errors }),
      retryable: this.retryable,
      ...members,
    };
  }
}
