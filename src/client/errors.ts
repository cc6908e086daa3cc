import type { MethodName } from '../tl/tl-json.ts';
import type { MethodErrors, ProblemCode } from './methods.ts';

/** The codes of errors that any request may meet. `http_502` and the like are of answers that are not Switchboard's. */
export type CommonCode = ProblemCode | 'FLOOD_WAIT' | `http_${number}`;

type OwnCode<Name extends string> = Name extends `${infer Namespace}.${infer Method}`
  ? Namespace extends keyof MethodErrors
    ? MethodErrors[Namespace][Method & keyof MethodErrors[Namespace]]
    : never
  : never;

/** The codes of the errors of a method: the common codes, and those that the schema lists for the method. */
export type ErrorCode<Name extends MethodName = MethodName> = CommonCode | OwnCode<Name>;

/** An error answer of the API (RFC 9457). */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  code: string;
  detail?: string;
  /** What is wrong in the request, by RFC 6901 pointers. */
  errors?: { pointer: string; detail: string }[];
  /** Whether the same request may succeed later. */
  retryable: boolean;
  /** After how many seconds to try again. */
  retryAfter?: number;
  [member: string]: unknown;
}

/** A request that failed: the API refused it, or no answer came. */
export class SwitchboardError extends Error {
  override name = 'SwitchboardError';
  /** How often it was tried. */
  attempts = 1;
  /** The key of the call. The same call with this key, within 24 hours, never takes effect twice. */
  idempotencyKey: string | undefined;
}

/** The API has refused a request, or the call has failed. */
export class ApiError<Code extends string = string> extends SwitchboardError {
  override name = 'ApiError';
  readonly code: Code;
  readonly status: number;
  readonly problem: ProblemDocument;
  /** How long the API asks to wait before the next attempt, in ms; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(problem: ProblemDocument, retryAfterMs: number | null = null) {
    super(messageOf(problem));
    this.code = problem.code as Code;
    this.status = problem.status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer came. A call may or may not have taken effect; the same call with its `idempotencyKey` finds out. */
export class NoAnswerError extends SwitchboardError {
  override name = 'NoAnswerError';

  constructor(cause: unknown) {
    super(`No answer came: ${reasonOf(cause)}`, { cause });
  }
}

/** Whether a caught value is an error answer; with a method's name, its code is one of that method. */
export function isApiError<Name extends MethodName>(
  error: unknown,
  _method?: Name,
): error is ApiError<ErrorCode<Name>> {
  return error instanceof ApiError;
}

function messageOf({ code, title, detail, errors = [] }: ProblemDocument): string {
  const fields = errors.map((field) => `${field.pointer}: ${field.detail}`);
  // The detail names the first of them.
  const others = fields.filter((field) => !detail?.includes(field));
  return [`${code}: ${detail ?? title}`, ...others].join('\n  ');
}

/** What `fetch` throws says little; its cause says more. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  // Where all addresses of a name refuse, as those of `localhost`, the error has a code and no message.
  return error.message || String((error as Error & { code?: unknown }).code ?? error.name);
}
