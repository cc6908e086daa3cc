import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Accounts, CallableAccount } from '../../directory/accounts.ts';
import { maySee, type Principal } from '../../directory/principal.ts';
import { missing } from '../../directory/records.ts';
import { timeOfId } from '../../ids.ts';
import { Problem } from '../../problem.ts';

// A bulk of accounts whose driver is slow takes two minutes, and several at once take longer.
const CONNECTING_MS = 5 * 60_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** The messenger account of the path; only after `requireAccount`. */
    account: CallableAccount;
  }
}

/**
 * A hook that finds the account of a path with `:workspaceId` and `:accountId`. It answers the same 404 if there is none, if
 * it is in another workspace, and if the API key may not see it.
 */
export function requireAccount(accounts: Accounts): onRequestHookHandler {
  return function checkAccount(request, _reply, done) {
    const { workspaceId, accountId } = request.params as {
      workspaceId: string;
      accountId: string;
    };
    const known = accounts.peek(workspaceId, accountId);
    if (known !== undefined) return done(admit(request, known));
    accounts.find(workspaceId, accountId).then((account) => done(admit(request, account)), done);
  };
}

/**
 * The account, if the principal may make calls for it. Throws the same 404 for one that is missing and one it may not see.
 */
export function admitAccount(principal: Principal, account: CallableAccount | null): CallableAccount {
  if (account === null || !maySee(principal, account)) {
    const detail = `${missing('messenger-accounts')} It has to belong to the workspace of the path.`;
    throw new Problem('not_found', { detail });
  }
  if (account.status !== 'connecting') return account;
  if (Date.now() - timeOfId(account.id) > CONNECTING_MS) {
    const detail =
      'It was never connected: delete it and create it again, or repeat the bulk with its `idempotencyKey`.';
    throw new Problem('conflict', { detail });
  }
  const detail = 'The messenger account is still being connected.';
  throw new Problem('unavailable', { detail, headers: { 'retry-after': '1' } });
}

function admit(request: FastifyRequest, account: CallableAccount | null): Error | undefined {
  try {
    request.account = admitAccount(request.principal, account);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
