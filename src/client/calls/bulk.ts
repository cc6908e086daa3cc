import type { MethodName } from '../../tl/tl-json.ts';
import type { ApiError, ErrorCode, NoAnswerError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import { leavesInDoubt, mayBeRecorded } from '../http/retry.ts';
import type { HttpRequest } from '../http/send.ts';
import type { TryOptions } from '../options.ts';
import { AsyncCall } from './async-call.ts';
import { type BulkKind, type Outcome, sendPart } from './bulk-part.ts';
import type { CallAnswer, PreparedCall } from './call-answer.ts';

/** The most calls in one request. */
const CALLS_MAX = 100;
/** The bytes that a request has for calls: a body may have 1 MiB. */
const CALLS_BYTES = 1024 * 1024 - '{"calls":[]}'.length;
/** The values that a request has for calls: a body may have 32,768. */
const CALLS_VALUES = 32_768 - 2;

/** How a call of a bulk has ended: with `Done`, or with an error. */
export type BulkOutcome<Name extends MethodName, Done> =
  | ({ ok: true } & Done)
  | { ok: false; error: ApiError<ErrorCode<Name>> | NoAnswerError };

/** The answers of the calls of a bulk, each in its place. */
export type BulkAnswers<Calls extends readonly PreparedCall[]> = {
  [Place in keyof Calls]: Calls[Place] extends PreparedCall<infer Name>
    ? BulkOutcome<Name, CallAnswer<Name>>
    : never;
};

/** The async calls of a bulk, each in its place. */
export type BulkAsyncCalls<Calls extends readonly PreparedCall[]> = {
  [Place in keyof Calls]: Calls[Place] extends PreparedCall<infer Name>
    ? BulkOutcome<Name, { call: AsyncCall<Name> }>
    : never;
};

/**
 * Makes calls concurrently, up to a hundred, a MiB or 32,768 values in a request, and returns the answers in order. An error of a request
 * is the outcome of its calls.
 */
export async function makeBulk<Calls extends readonly PreparedCall[]>(
  http: Http,
  workspaceId: string,
  calls: Calls,
  options: TryOptions,
): Promise<BulkAnswers<Calls>> {
  const show = (body: object) => ('result' in body ? body : null);
  const kind = { show, doubts: leavesInDoubt };
  return (await sendAll(http, workspaceId, calls, kind, {}, options)) as BulkAnswers<Calls>;
}

/** Makes async calls, up to a hundred in a request, and returns them in order. An error of a request is the outcome of its calls. */
export async function makeAsyncBulk<Calls extends readonly PreparedCall[]>(
  http: Http,
  workspaceId: string,
  calls: Calls,
  options: TryOptions,
): Promise<BulkAsyncCalls<Calls>> {
  const show = (body: object) => {
    const { id } = body as { id?: string };
    return id === undefined ? null : { call: new AsyncCall(http, id) };
  };
  const kind = { show, doubts: mayBeRecorded };
  const headers = { prefer: 'respond-async' };
  return (await sendAll(http, workspaceId, calls, kind, headers, options)) as BulkAsyncCalls<Calls>;
}

async function sendAll(
  http: Http,
  workspaceId: string,
  calls: readonly PreparedCall[],
  kind: BulkKind,
  headers: Record<string, string>,
  options: TryOptions,
): Promise<Outcome[]> {
  const foreign = calls.find((call) => call.workspaceId !== workspaceId);
  if (foreign) throw new TypeError(`A bulk has calls of one workspace; ${foreign.workspaceId} is another.`);
  const path = `/workspaces/${encodeURIComponent(workspaceId)}/calls`;
  const requestFor = (sent: PreparedCall[]): HttpRequest => ({
    method: 'POST',
    path,
    headers,
    body: { calls: sent.map(toBody) },
  });
  const outcomes: Outcome[] = [];
  // All are divided before the first is sent: a call that cannot be written as JSON throws.
  for (const part of [...divide(calls)])
    outcomes.push(...(await sendPart(http, part, kind, requestFor, options)));
  return outcomes;
}

/** The calls of each request. One call that is too large is alone, so that only that one is refused. */
function* divide(calls: readonly PreparedCall[]): Generator<PreparedCall[]> {
  const encoder = new TextEncoder();
  let part: PreparedCall[] = [];
  let sum = { bytes: 0, values: 0 };
  for (const call of calls) {
    const text = `${JSON.stringify(toBody(call))},`;
    const bytes = encoder.encode(text).length;
    const values = countValues(text);
    const isFull = sum.bytes + bytes > CALLS_BYTES || sum.values + values > CALLS_VALUES;
    if (part.length === CALLS_MAX || (part.length > 0 && isFull)) {
      yield part;
      part = [];
      sum = { bytes: 0, values: 0 };
    }
    part.push(call);
    sum = { bytes: sum.bytes + bytes, values: sum.values + values };
  }
  if (part.length > 0) yield part;
}

/** The most values that the API may find in a text. Characters within strings count too: that makes a request too many at worst. */
function countValues(text: string): number {
  return text.match(/[{[,]/g)?.length ?? 0;
}

function toBody({ accountId, method, params, idempotencyKey }: PreparedCall): object {
  return { accountId, method, params, idempotencyKey };
}
