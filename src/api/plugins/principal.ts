import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKeys } from '../../directory/api-keys.ts';
import { hasScope, type Principal } from '../../directory/principal.ts';
import type { Scope } from '../../directory/scopes.ts';
import { Problem } from '../../problem.ts';
import type { Guard } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The principal of the request; not on public routes. */
    principal: Principal;
  }
  interface FastifyContextConfig {
    /** Whether the route needs no API key. */
    public?: boolean;
  }
}

/** Declares `principal` on requests. Once per app, before the routes. */
export function installPrincipal(app: FastifyInstance): void {
  app.decorateRequest('principal', null as never);
}

/** Answers 401 without a valid API key, before anything else is checked, unless the route is public. */
export function principalGuard(apiKeys: ApiKeys): Guard {
  const findPrincipal: onRequestHookHandler = (request, _reply, done) => {
    const found = apiKeys.authenticate(request.headers.authorization ?? '');
    if (found instanceof Promise) found.then((principal) => done(admit(request, principal)), done);
    else done(admit(request, found));
  };
  return (route) => (route?.config?.public === true ? null : findPrincipal);
}

/** A hook that requires a scope. It comes after the check that the principal may see the record. */
export function requireScope(scope: Scope): onRequestHookHandler {
  return function checkScope(request, _reply, done) {
    if (hasScope(request.principal, scope)) done();
    else
      done(
        new Problem('forbidden', {
          detail: `This needs an API key with the scope ${scope}.`,
        }),
      );
  };
}

/** A hook that requires the root key. */
export const requireRoot: onRequestHookHandler = function checkRoot(request, _reply, done) {
  if (request.principal.kind === 'root') done();
  else done(new Problem('forbidden', { detail: 'Only the root key may do this.' }));
};

function admit(request: FastifyRequest, principal: Principal | null): Problem | undefined {
  if (principal === null) {
    const detail = 'Send `Authorization: Bearer <API key>` with a key that is valid.';
    return new Problem('unauthorized', {
      detail,
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  request.principal = principal;
  return undefined;
}
