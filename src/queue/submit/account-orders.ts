import type { MessengerAccount } from '../../directory/collections.ts';
import { newId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { toCallingAccount } from '../wire.ts';
import type { CallGateway } from './call-gateway.ts';
import type { Caller, CallRequest } from './pending-call.ts';

const ORDER_TIMEOUT_MS = 10_000;

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
  const reply = await calls.submit(request, caller).finally(() => caller.leave());
  const body = JSON.parse(reply.body) as Record<string, unknown>;
  if (reply.status === 200) return body.result;
  const { code, title, detail, retryable } = body as {
    code: string;
    title: string;
    detail: string;
    retryable: boolean;
  };
  throw new Problem(code, { detail }, { status: reply.status, title, retryable, next: detail });
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
