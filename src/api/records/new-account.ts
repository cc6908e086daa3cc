import * as z from 'zod';
import type { MessengerAccount, Workspace } from '../../directory/collections.ts';
import { listDrivers } from '../../directory/driver-methods.ts';
import type { Principal } from '../../directory/principal.ts';
import { newIdentity } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';
import { maxConcurrentCalls } from './shapes.ts';
import { name, reference } from './texts.ts';

/** Of an account. */
export const strictPeers = z
  .boolean()
  .describe('Whether empty peers and wrong access hashes are refused as the messenger does');

/** How long the name of a driver may be. */
export const DRIVER_MAX = 64;

/** The body that creates an account. */
export const newAccount = z.strictObject({
  name,
  workspaceId: reference,
  driver: z
    .string()
    .min(1)
    .max(DRIVER_MAX)
    .default('sandbox')
    .describe('One that workers serve; `sandbox` is a messenger kept in Redis'),
  bot: z.boolean().default(false),
  strictPeers: strictPeers.default(false),
  maxConcurrentCalls: maxConcurrentCalls.default(null),
});

/** The record of a new account, which is not connected yet. */
export function toAccount(
  principal: Principal,
  { id: workspaceId, organizationId }: Workspace,
  wanted: Omit<z.output<typeof newAccount>, 'workspaceId'>,
): MessengerAccount {
  return {
    ...newIdentity('messengerAccount'),
    workspaceId,
    organizationId,
    ...wanted,
    operatorCap: principal.kind === 'root' ? wanted.maxConcurrentCalls : null,
    status: 'connecting',
    userId: null,
    username: null,
    phone: null,
    lane: 'shared',
    faults: false,
  };
}

/** Throws `invalid_body` for drivers that no worker serves. If no worker has run yet, one may be starting, and every driver is accepted. */
export async function refuseUnknownDrivers(
  { directory }: ApiDeps,
  wanted: readonly { pointer: string; driver: string }[],
): Promise<void> {
  const served = await listDrivers(directory.redis);
  if (served.length === 0) return;
  const detail = `Must be a driver that workers serve: ${served.join(', ')}.`;
  const errors = wanted
    .filter(({ driver }) => !served.includes(driver))
    .map(({ pointer }) => ({ pointer, detail }));
  if (errors.length > 0) throw new Problem('invalid_body', { errors });
}
