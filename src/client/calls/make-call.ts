import type { MethodName } from '../../tl/tl-json.ts';
import { NoAnswerError, SwitchboardError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import { type Doubts, leavesInDoubt, mayBeRecorded } from '../http/retry.ts';
import { type HttpRequest, notOfApi } from '../http/send.ts';
import type { AsyncCallOptions, TryOptions } from '../options.ts';
import { AsyncCall } from './async-call.ts';
import type { CallAnswer, PreparedCall } from './call-answer.ts';
import { keyHeader, keyOfOtherKind } from './idempotency-key.ts';

/** Makes a call and returns its answer. */
export async function makeCall<Name extends MethodName>(
  http: Http,
  call: PreparedCall<Name>,
  options: TryOptions,
): Promise<CallAnswer<Name>> {
  const { params } = call;
  return post<CallAnswer<Name>>(http, call, { body: { params } }, options, {
    doubts: leavesInDoubt,
    has: 'result',
  });
}

/** Makes an async call. */
export async function makeAsyncCall<Name extends MethodName>(
  http: Http,
  call: PreparedCall<Name>,
  options: AsyncCallOptions,
): Promise<AsyncCall<Name>> {
  const { scheduleAt, expiresAt } = options;
  const headers = { prefer: 'respond-async' };
  const { id } = await post<{ id: string }>(
    http,
    call,
    { headers, body: { params: call.params, scheduleAt, expiresAt } },
    options,
    { doubts: mayBeRecorded, has: 'id' },
  );
  return new AsyncCall(http, id);
}

/** Posts a call and returns its answer, which has the member `has`. Throws `keyOfOtherKind` for that of the other kind of call. */
async function post<Body extends object>(
  http: Http,
  { workspaceId, accountId, method, idempotencyKey }: PreparedCall,
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  options: TryOptions,
  { doubts, has }: { doubts: Doubts; has: keyof Body },
): Promise<Body> {
  const ids = [workspaceId, accountId].map(encodeURIComponent);
  const path = `/workspaces/${ids[0]}/messenger-accounts/${ids[1]}/call/${encodeURIComponent(method)}`;
  const request = {
    method: 'POST',
    path,
    headers: { ...keyHeader(idempotencyKey), ...headers },
    body,
  } as const;
  try {
    const answer = await http.request<Body | undefined>(request, options, doubts);
    if (answer.body?.[has] !== undefined) return answer.body;
    throw isOfCall(answer.body) ? keyOfOtherKind() : new NoAnswerError(notOfApi());
  } catch (error) {
    if (error instanceof SwitchboardError) error.idempotencyKey = idempotencyKey;
    throw error;
  }
}

/** Whether something is the answer of a call of either kind. */
function isOfCall(body: object = {}): boolean {
  return 'result' in body || 'id' in body;
}
