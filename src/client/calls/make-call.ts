import type { MethodName } from '../../tl/tl-json.ts';
import { SwitchboardError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import { type Doubts, leavesInDoubt, mayBeRecorded } from '../http/retry.ts';
import type { Answer, HttpRequest } from '../http/send.ts';
import type { AsyncCallOptions, TryOptions } from '../options.ts';
import { AsyncCall } from './async-call.ts';
import type { CallAnswer, PreparedCall } from './call-answer.ts';
import { keyHeader } from './idempotency-key.ts';

/** Makes a call and returns its answer. */
export async function makeCall<Name extends MethodName>(
  http: Http,
  call: PreparedCall<Name>,
  options: TryOptions,
): Promise<CallAnswer<Name>> {
  const { params } = call;
  const { body } = await post<CallAnswer<Name>>(http, call, { body: { params } }, options, leavesInDoubt);
  if (body.result === undefined) throw new TypeError('The idempotencyKey belongs to an async call.');
  return body;
}

/** Makes an async call. */
export async function makeAsyncCall<Name extends MethodName>(
  http: Http,
  call: PreparedCall<Name>,
  options: AsyncCallOptions,
): Promise<AsyncCall<Name>> {
  const { scheduleAt, expiresAt } = options;
  const headers = { prefer: 'respond-async' };
  const { body } = await post<{ id: string }>(
    http,
    call,
    { headers, body: { params: call.params, scheduleAt, expiresAt } },
    options,
    mayBeRecorded,
  );
  if (body.id === undefined) throw new TypeError('The idempotencyKey belongs to a call that was not async.');
  return new AsyncCall(http, body.id);
}

async function post<Body>(
  http: Http,
  { workspaceId, accountId, method, idempotencyKey }: PreparedCall,
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  options: TryOptions,
  doubts: Doubts,
): Promise<Answer<Body>> {
  const ids = [workspaceId, accountId].map(encodeURIComponent);
  const path = `/workspaces/${ids[0]}/messenger-accounts/${ids[1]}/call/${encodeURIComponent(method)}`;
  const request = {
    method: 'POST',
    path,
    headers: { ...keyHeader(idempotencyKey), ...headers },
    body,
  } as const;
  try {
    return await http.request<Body>(request, options, doubts);
  } catch (error) {
    if (error instanceof SwitchboardError) error.idempotencyKey = idempotencyKey;
    throw error;
  }
}
