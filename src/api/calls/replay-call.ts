import type { AsyncCall } from '../../async-calls/async-call.ts';
import type { FullCallRecord } from '../../async-calls/find-call.ts';
import { makersBy, type Principal } from '../../directory/principal.ts';
import { newId } from '../../ids.ts';
import { isAnswered } from '../../ledger/claim.ts';
import { decodeFrame } from '../../queue/frame.ts';
import { callAttributes } from '../../tracing/attributes.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { ApiDeps } from '../deps.ts';
import { acceptedFrame } from './async-call.ts';

/**
 * Replays a call, and returns the id of the new call. Idempotent: a call has at most one replay, and a repeated request gets its id, with
 * `isNew` false. `trace` is that of the new call. Throws `paused` if a pause refuses the call, and what `AsyncCalls.accept` throws.
 */
export async function replayCall(
  deps: ApiDeps,
  principal: Principal,
  call: FullCallRecord,
  trace?: Trace,
): Promise<{ id: string; isNew: boolean }> {
  const id = newId('call');
  const now = Math.floor(deps.clock.now());
  const { workspaceId, organizationId, messengerAccountId, method, params, seed } = call;
  const ledger = `replay-${call.id}`;
  const target = { workspaceId, account: { id: messengerAccountId }, method };
  // A repeated request gets the id of the replay that it made before, even during a pause.
  const isPaused = deps.control.pauses.find(target, 'async') !== null;
  if (isPaused && !(await isAnswered(deps.directory.redis, workspaceId, ledger))) deps.held.check(target);
  const newCall: AsyncCall = {
    id,
    workspaceId,
    organizationId,
    messengerAccountId,
    method,
    params,
    // If the first call reached the messenger after all, the messenger recognizes the replay by its seed.
    seed,
    createdAt: now,
    scheduleAt: null,
    expiresAt: now + deps.config.ASYNC_CALL_EXPIRY_MS,
    replayOf: call.id,
    makers: makersBy(principal).makers,
    ...(trace === undefined ? {} : { trace: trace.context }),
  };
  const key = {
    ledger,
    payload: 'replay',
    frame: acceptedFrame(deps, id),
    overdue: null,
  };
  trace?.hop('receive');
  const { replay: recorded } = await deps.asyncCalls.accept(newCall, key);
  trace?.hop('accept');
  const found = recorded === null ? newCall : (JSON.parse(decodeFrame(recorded).body) as { id: string });
  trace?.set(callAttributes({ id: found.id, method, workspaceId, account: { id: messengerAccountId } }));
  return { id: found.id, isNew: recorded === null };
}
