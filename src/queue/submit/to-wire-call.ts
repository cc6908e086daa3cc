import type { WireCall } from '../wire.ts';
import type { CallRequest } from './pending-call.ts';

/** Converts a request to the call that travels. */
// Member by member: objects made by spreading are slow to create and to stringify.
export function toWireCall(request: CallRequest, number: number, acceptedAt: number): WireCall {
  const { id, workspaceId, account, driver, method, kind, params, timeoutMs, key } = request;
  const notAfter = acceptedAt + timeoutMs;
  const call: WireCall = {
    id,
    number,
    workspaceId,
    account,
    driver,
    method,
    kind,
    params,
    acceptedAt,
    notAfter,
  };
  if (key !== undefined) call.key = key;
  return call;
}
