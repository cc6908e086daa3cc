import type { MessengerAccount } from '../../directory/collections.ts';
import { newId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { PROBLEMS, type ProblemCode, type ProblemKind } from '../../problem-table.ts';
import type { Reply } from '../frame.ts';
import { toCallingAccount } from '../wire.ts';
import type { CallGateway } from './call-gateway.ts';
import type { Caller, CallRequest } from './pending-call.ts';

const ORDER_TIMEOUT_MS = 10_000;

/** The next step where that of a call is none: a request that gives an order takes neither `Prefer` nor an Idempotency-Key. */
const NEXT: { [Code in ProblemCode]?: string } = {
  call_timeout: 'It was not done in time and never will be: send the request again.',
  outcome_unknown: 'It may have been done: read what is there before you send the request again.',
};

// About how much travels besides the params.
const OVERHEAD_BYTES = 256;

/**
 * Sends an order, such as `connectAccount`, to an account's driver. It travels and commits like a call. Rejects with the worker's
 * `Problem`, or with `canceled` if `signal` aborts before the order has run.
 */
export async function orderFromDriver(
  calls: Pick<CallGateway, 'submit'>,
  account: MessengerAccount,
  order: string,
  params: object,
  signal: AbortSignal,
): Promise<unknown> {
  const caller = new OrderCaller(signal);
  const request: CallRequest = {
    id: newId('call'),
    workspaceId: account.workspaceId,
    organizationId: account.organizationId,
    account: { ...toCallingAccount(account), faults: false },
    driver: account.driver,
    method: order,
    kind: 'order',
    params,
    lane: 'shared',
    bytes: OVERHEAD_BYTES + Buffer.byteLength(JSON.stringify(params)),
    idempotencyKey: null,
    timeoutMs: ORDER_TIMEOUT_MS,
    caps: null,
  };
  const reply = await calls
    .submit(request, caller)
    .catch((error) => Promise.reject(ofOrder(error)))
    .finally(() => caller.leave());
  const body = JSON.parse(reply.body) as Record<string, unknown>;
  if (reply.status === 200) return body.result;
  throw ofOrder(toProblem(reply, body));
}

function toProblem({ status, headers }: Reply, body: Record<string, unknown>): Problem {
  const { type: _type, status: _status, retryAfter: _after, ...told } = body;
  const { code, title, detail, retryable, ...members } = told as Omit<ProblemKind, 'next'> & {
    code: string;
    detail: string;
  };
  const { 'retry-after': retryAfter } = headers;
  return new Problem(
    code,
    { detail, members, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }) },
    { status, title, retryable, next: detail },
  );
}

function ofOrder(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const code = error.code as ProblemCode;
  const detail = NEXT[code];
  return detail === undefined || error.detail !== PROBLEMS[code].next ? error : new Problem(code, { detail });
}

/** The request that waits for an order. A connection outlives many orders, so each removes its listener. */
class OrderCaller implements Caller {
  private readonly signal: AbortSignal;
  private listener: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  get destroyed(): boolean {
    return this.signal.aborted;
  }

  on(_event: 'close', listener: () => void): void {
    this.listener = listener;
    this.signal.addEventListener('abort', listener);
  }

  leave(): void {
    if (this.listener !== null) this.signal.removeEventListener('abort', this.listener);
  }
}
