import type { MessengerAccount } from '../../directory/collections.ts';
import { newId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import type { CallingAccount } from '../wire.ts';
import type { CallGateway } from './call-gateway.ts';

const ORDER_TIMEOUT_MS = 10_000;

/** The account as it travels with its calls. */
export function toCallingAccount(account: MessengerAccount): CallingAccount {
  const { id, userId, bot, strictPeers, faults } = account;
  return { id, userId: userId ?? 0, bot, strictPeers, faults };
}

/**
 * Has an account's driver carry out an order, such as `connectAccount`: it takes the way of a call and commits like one.
 * Rejects with the `Problem` the worker answered with.
 */
export async function orderFromDriver(
  calls: Pick<CallGateway, 'submit'>,
  account: MessengerAccount,
  order: string,
  params: object,
): Promise<unknown> {
  const reply = await calls.submit({
    id: newId('call'),
    workspaceId: account.workspaceId,
    organizationId: account.organizationId,
    account: { ...toCallingAccount(account), faults: false },
    driver: account.driver,
    method: order,
    kind: 'order',
    params,
    lane: 'shared',
    bytes: 256,
    timeoutMs: ORDER_TIMEOUT_MS,
    caps: null,
  });
  const body = JSON.parse(reply.body) as Record<string, unknown>;
  if (reply.status === 200) return body.result;
  const { code, title, detail, retryable } = body as {
    code: string;
    title: string;
    detail?: string;
    retryable: boolean;
  };
  throw new Problem(code, detail === undefined ? {} : { detail }, {
    status: reply.status,
    title,
    retryable,
  });
}
