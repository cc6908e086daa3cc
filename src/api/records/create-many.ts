import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import {
  createAccounts,
  findKeyedAccount,
  replaceAccounts,
  tooManyAccounts,
  type WantedAccount,
} from '../../directory/bulk/accounts.ts';
import type { MessengerAccount, Workspace } from '../../directory/collections.ts';
import { findRecord, notFound, patchRecord } from '../../directory/records.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';
import { mapConcurrently } from '../limits/map-concurrently.ts';
import { toItemProblem } from '../plugins/problems.ts';
import { removeUnconnected, seedAccount } from './connect-account.ts';
import type { problem as problemShape } from './shapes.ts';

/** How many accounts of a request are changed at once: as many as the order gate allows for a workspace. */
export const ACCOUNTS_AT_ONCE = 8;

type ProblemBody = z.output<typeof problemShape>;

/** The result for an account of a bulk: its record, or why there is none. */
export interface ManyResult {
  status: number;
  body: MessengerAccount | ProblemBody;
}

/** An account that is seeded, and not yet recorded as such. */
interface SeededAccount {
  before: MessengerAccount;
  after: MessengerAccount;
  isNew: boolean;
  key: string | null;
}

/**
 * Records accounts of a workspace together, lets their driver seed each, and records the results together. Accounts do not affect each
 * other; one that cannot be connected leaves no record. It starts in the workspace's turn, and rejects with the order gate's problem if it
 * gets none.
 */
export async function createMany(
  deps: ApiDeps,
  request: FastifyRequest,
  workspace: Workspace,
  wanted: readonly WantedAccount[],
): Promise<ManyResult[]> {
  const { redis, accounts } = deps.directory;
  const max = deps.config.ACCOUNTS_PER_WORKSPACE;
  const place = { workspaceId: workspace.id, organizationId: workspace.organizationId };
  const ids = await deps.orders.run(request, place, () => createAccounts(redis, workspace, wanted, max));
  const seeded = await mapConcurrently(wanted, ACCOUNTS_AT_ONCE, (one, index) =>
    connectOne(deps, request, workspace, one, ids[index] ?? null).catch(
      (error): ManyResult => failed(request, error),
    ),
  );
  const open = seeded.filter((one): one is SeededAccount => 'after' in one);
  const isReplaced = await replaceAccounts(redis, open).catch(async (error) => {
    const made = open.filter(({ isNew }) => isNew);
    await mapConcurrently(made, ACCOUNTS_AT_ONCE, ({ before, key }) => removeUnconnected(deps, before, key));
    throw error;
  });
  for (const { before } of open) accounts.forget(before.id);
  const late = new Set(open.filter((_, index) => isReplaced[index] === false));
  return mapConcurrently(seeded, ACCOUNTS_AT_ONCE, async (one) => {
    if (!('after' in one)) return one;
    const status = one.isNew ? 201 : 200;
    if (!late.has(one)) return { status, body: one.after };
    // The record was changed in the meantime.
    const { status: state, userId, username, phone } = one.after;
    return patchRecord(redis, 'messenger-accounts', one.after.id, { status: state, userId, username, phone })
      .then((body) => ({ status, body }))
      .catch((error) => failed(request, isGone(error) && !one.isNew ? removedByOther() : error));
  });
}

async function connectOne(
  deps: ApiDeps,
  request: FastifyRequest,
  workspace: Workspace,
  wanted: WantedAccount,
  id: string | null,
): Promise<SeededAccount | ManyResult> {
  const { redis } = deps.directory;
  const { account, idempotencyKey } = wanted;
  const max = deps.config.ACCOUNTS_PER_WORKSPACE;
  if (id === null) throw tooManyAccounts(max);
  const isNew = id === account.id;
  const known = isNew ? account : await findRecord(redis, 'messenger-accounts', id);
  if (known === null) {
    if (idempotencyKey !== null && (await findKeyedAccount(redis, workspace.id, idempotencyKey)) === id) {
      const detail =
        'The account that this Idempotency-Key has made is deleted: use another key for a new one.';
      throw new Problem('conflict', { detail });
    }
    // Another request has just given up to connect it, so its key makes another one.
    const [other = null] = await createAccounts(redis, workspace, [wanted], max);
    return connectOne(deps, request, workspace, wanted, other);
  }
  // An account that is still connecting was left by a request that never ended.
  if (known.status !== 'connecting') return { status: 200, body: known };
  try {
    const seed = async (signal: AbortSignal) => {
      // If it was deleted while this waited, its deletion may be over: nobody would remove what its driver makes of it now.
      if ((await findRecord(redis, 'messenger-accounts', id)) === null)
        throw isNew ? notFound('messenger-accounts') : removedByOther();
      return seedAccount(deps, known, signal);
    };
    const seeded = await deps.orders.run(request, known, seed, { isNextPart: true });
    return { before: known, after: { ...known, ...seeded }, isNew, key: idempotencyKey };
  } catch (error) {
    if (isNew) await removeUnconnected(deps, known, idempotencyKey);
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Problem && error.code === 'not_found';
}

function removedByOther(): Problem {
  const detail = 'Another request has removed the account meanwhile: send this one again.';
  return new Problem('unavailable', { detail });
}

/** The result of an item of a bulk request that failed. */
export function failed(request: FastifyRequest, error: unknown): { status: number; body: ProblemBody } {
  const problem = toItemProblem(request, error);
  return { status: problem.status, body: problem.toJSON() as ProblemBody };
}
