/** What an error code means. */
export interface ProblemKind {
  status: number;
  title: string;
  /** Whether the same request may succeed later without being changed. */
  retryable: boolean;
  /** What to do about it: the detail of a problem that has none of its own. */
  next: string;
}

/** The table of error codes: their statuses, whether to try again, and the next step. Messenger errors have their own names. */
export const PROBLEMS = {
  invalid_json: {
    status: 400,
    title: 'The body is not valid JSON',
    retryable: false,
    next: 'Send one JSON value in UTF-8, as a JSON library writes it.',
  },
  invalid_body: {
    status: 400,
    title: 'The body has the wrong shape',
    retryable: false,
    next: '`errors` names each member that is wrong: correct them and send the request again.',
  },
  invalid_params: {
    status: 400,
    title: 'The params do not fit the method',
    retryable: false,
    next: '`errors` names each field that is wrong: correct them and send the call again. /openapi.json has the fields of every method.',
  },
  invalid_query: {
    status: 400,
    title: 'A query parameter is wrong',
    retryable: false,
    next: '`errors` names each parameter that is wrong: correct or leave out those.',
  },
  invalid_header: {
    status: 400,
    title: 'A header is wrong',
    retryable: false,
    next: 'Correct the header, or leave it out.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid for this list',
    retryable: false,
    next: 'Take `cursors.next` or `cursors.previous` of a page of the same list with the same filter, or begin without a cursor.',
  },
  conflicting_parameters: {
    status: 400,
    title: 'Two parameters exclude each other',
    retryable: false,
    next: 'Leave one of the two out.',
  },
  invalid_offset: {
    status: 400,
    title: 'The offset is not valid',
    retryable: false,
    next: 'Take an offset that Switchboard gave: `Stream-Next-Offset`, or the `offset` of an update. -1 is the beginning, now the end.',
  },
  bad_request: {
    status: 400,
    title: 'The request is malformed',
    retryable: false,
    next: 'Send a request that is well-formed HTTP, whole, and with an address in percent-encoding.',
  },
  unauthorized: {
    status: 401,
    title: 'A valid API key is needed',
    retryable: false,
    next: 'Send an API key that is valid in `Authorization: Bearer <API key>`.',
  },
  forbidden: {
    status: 403,
    title: 'The API key lacks the scope',
    retryable: false,
    next: 'Use an API key that may do this, or have one created.',
  },
  not_found: {
    status: 404,
    title: 'There is no such thing',
    retryable: false,
    next: 'Look at the address and the ids in it. What an API key may not see is answered like what is not there.',
  },
  unknown_method: {
    status: 404,
    title: 'There is no such method',
    retryable: false,
    next: '/v1/methods lists the methods.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The verb is not allowed here',
    retryable: false,
    next: 'Use one of the verbs that the header `Allow` lists.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    retryable: true,
    next: 'Send the request again, and all of it at once.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with the present state',
    retryable: false,
    next: 'Read what is there now, and decide anew.',
  },
  not_empty: {
    status: 409,
    title: 'It still has children',
    retryable: false,
    next: 'Delete what is beneath it first, or add `?cascade=true`.',
  },
  account_unauthorized: {
    status: 409,
    title: 'The messenger account is not authorized',
    retryable: false,
    next: 'Connect the messenger account again: the messenger no longer accepts its session.',
  },
  call_in_flight: {
    status: 409,
    title: 'A call with this Idempotency-Key is under way',
    retryable: true,
    next: 'Repeat the request with the same key in a moment: it is then answered as the first one was.',
  },
  canceled: {
    status: 409,
    title: 'The call was canceled before it ran',
    retryable: false,
    next: 'The call has not taken effect and never will: make it again if it is wanted.',
  },
  call_ended: {
    status: 409,
    title: 'The call has ended',
    retryable: false,
    next: 'GET /v1/calls/{id} shows how it ended.',
  },
  call_expired: {
    status: 504,
    title: 'The call was not run by the time it expires',
    retryable: false,
    next: 'The call has not taken effect and never will: make it again if it is wanted, or replay it.',
  },
  offset_gone: {
    status: 410,
    title: 'The offset is no longer held',
    retryable: false,
    next: 'Go on from `earliestOffset`, and count what lies before it as missed.',
  },
  reply_not_kept: {
    status: 410,
    title: 'The call took effect, and its reply was too large to be kept',
    retryable: false,
    next: 'The call has taken effect: read what it changed, and do not repeat it.',
  },
  precondition_failed: {
    status: 412,
    title: 'It has changed since it was read',
    retryable: false,
    next: 'Read it again, and repeat the change with its new `ETag` as `If-Match` if it is still wanted.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    retryable: false,
    next: 'Send less in one request, or several requests.',
  },
  call_too_large: {
    status: 413,
    title: 'The call would change more at once than one call may',
    retryable: false,
    next: 'Make several calls, each of which changes less.',
  },
  answers_too_large: {
    status: 413,
    title: 'The answers of one request are too large together',
    retryable: true,
    next: 'Ask for less in one request.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be application/json',
    retryable: false,
    next: 'Send the body as `Content-Type: application/json`, in UTF-8.',
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation is not met',
    retryable: false,
    next: 'Leave `Expect` out, or send `Expect: 100-continue`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another payload',
    retryable: false,
    next: 'Take a new key for another call; repeat a call with exactly the same method and params.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    retryable: true,
    next: 'Wait for as many seconds as the header `Retry-After` says.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    retryable: false,
    next: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    title: 'Switchboard failed',
    retryable: true,
    next: 'Try again. If it goes on, tell the operator: the log of that moment has the reason.',
  },
  method_not_implemented: {
    status: 501,
    title: 'The method is known but not executed',
    retryable: false,
    next: 'GET /v1/methods?executed=true lists the methods that are executed.',
  },
  outcome_unknown: {
    status: 502,
    title: 'It is not known whether the call took effect',
    retryable: false,
    next: 'Read what is there before you repeat the call. With an `Idempotency-Key` of its own it can be repeated safely.',
  },
  messenger_failed: {
    status: 502,
    title: 'The messenger failed',
    retryable: true,
    next: 'Try again later.',
  },
  overloaded: {
    status: 503,
    title: 'Too much is under way',
    retryable: true,
    next: 'Wait for as many seconds as the header `Retry-After` says. What may run later can be sent with `Prefer: respond-async`.',
  },
  paused: {
    status: 503,
    title: 'An operator has paused calls like this one',
    retryable: true,
    next: 'This attempt has not run: repeat it after as many seconds as the header `Retry-After` says.',
  },
  unavailable: {
    status: 503,
    title: 'Switchboard cannot serve this now',
    retryable: true,
    next: 'Try again after as many seconds as the header `Retry-After` says. /readyz tells what is missing.',
  },
  shutting_down: {
    status: 503,
    title: 'This process is stopping',
    retryable: true,
    next: 'Try again: another process, or the next one, takes the request.',
  },
  call_timeout: {
    status: 504,
    title: 'The call did not run in time and never will',
    retryable: true,
    next: 'The call has not taken effect and never will: make it again. What may run later can be sent with `Prefer: respond-async`.',
  },
  workspace_full: {
    status: 507,
    title: 'The workspace keeps as many bytes as it may',
    retryable: false,
    next: 'Delete something, or have the operator raise its `bytesMax`; what lapses makes room by itself.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;
