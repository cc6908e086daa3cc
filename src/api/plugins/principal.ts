import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKeys } from '../../directory/api-keys.ts';
import type { Directory } from '../../directory/directory.ts';
import { FRESH_MS } from '../../directory/directory-watch.ts';
import { hasScope, type Principal } from '../../directory/principal.ts';
import type { Scope } from '../../directory/scopes.ts';
import { Problem } from '../../problem.ts';
import { isRedisUnavailable } from '../../redis/failure.ts';
import type { Guard, RequestCheck } from './guards.ts';
import { admitAccount } from './require-account.ts';

/** The `WWW-Authenticate` challenge of 401 and 403 (RFC 6750, 3). */
export const CHALLENGE = 'Bearer realm="Switchboard"';

declare module 'fastify' {
  interface FastifyRequest {
    /** The principal of the request; not on public routes. */
    principal: Principal;
  }
  interface FastifyContextConfig {
    /** Whether the route needs no API key. */
    public?: boolean;
    /** Whether a key counts as it was found last while Redis cannot be asked. */
    outlivesRedis?: boolean;
  }
}

/** Answers 401 without a valid API key, before anything else is checked, unless the route is public. */
export function principalGuard(apiKeys: ApiKeys): Guard {
  const findPrincipal: RequestCheck = (request) => {
    const found = apiKeys.authenticate(request.headers.authorization ?? '');
    return found instanceof Promise
      ? found.then((principal) => admit(request, principal))
      : admit(request, found);
  };
  const findKnown: RequestCheck = async (request, reply) => {
    try {
      return await findPrincipal(request, reply);
    } catch (error) {
      const known = apiKeys.lastFound(request.headers.authorization ?? '');
      if (!isRedisUnavailable(error) || known === null) throw error;
      return admit(request, known);
    }
  };
  return (route) => {
    if (route?.config?.public === true) return null;
    return route?.config?.outlivesRedis === true ? findKnown : findPrincipal;
  };
}

/** Checks a request again; rejects if it may no longer be made. Without a promise if nothing can have changed `since`. */
export type Readmit = (request: FastifyRequest, since: number) => Promise<void> | undefined;

/**
 * Checks the API key, and the account of a call, again if the body came late, or if the request has waited for its turn (`since` is by
 * `performance.now`). Otherwise whoever holds back the end of a body could still make its request half a minute after the key was deleted.
 */
export function readmitLate({ apiKeys, accounts }: Pick<Directory, 'apiKeys' | 'accounts'>): Readmit {
  const readmit = async (request: FastifyRequest) => {
    const problem = admit(request, await apiKeys.authenticate(request.headers.authorization ?? ''));
    if (problem !== undefined) throw problem;
    const { account, principal } = request;
    if (account === null) return;
    request.account = admitAccount(principal, await accounts.find(account.workspaceId, account.id));
  };
  return (request, since) =>
    request.principal !== null && performance.now() - since > FRESH_MS ? readmit(request) : undefined;
}

/** A hook that requires a scope. It comes after the check that the principal may see the record. */
export function requireScope(scope: Scope): onRequestHookHandler {
  return function checkScope(request, _reply, done) {
    done(hasScope(request.principal, scope) ? undefined : lacksScope(scope));
  };
}

/** The problem of a request that needs a scope which its API key does not have. */
export function lacksScope(scope: Scope): Problem {
  return new Problem('forbidden', {
    detail: `This needs an API key with the scope ${scope}: use one that has it, or create one with POST /v1/api-keys.`,
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
  });
}

/** A hook that requires the root key. */
export const requireRoot: onRequestHookHandler = function checkRoot(request, _reply, done) {
  if (request.principal.kind === 'root') done();
  else
    done(new Problem('forbidden', { detail: 'Only the root key may do this: use it, or ask the operator.' }));
};

function admit(request: FastifyRequest, principal: Principal | null): Problem | undefined {
  if (principal === null) return unauthorized(request.headers.authorization);
  request.principal = principal;
  return undefined;
}

// RFC 6750, 3.1: the challenge has an error only if a key was sent.
function unauthorized(header: string | undefined): Problem {
  const hasKey = /^bearer\s+\S/i.test(header ?? '');
  const detail = hasKey
    ? 'The API key is unknown, deleted or expired: send another one in `Authorization: Bearer <API key>`.'
    : 'Send an API key in `Authorization: Bearer <API key>`.';
  const challenge = hasKey ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE;
  return new Problem('unauthorized', { detail, headers: { 'www-authenticate': challenge } });
}
