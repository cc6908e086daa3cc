import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKeys } from '../../directory/api-keys.ts';
import { hasScope, type Principal } from '../../directory/principal.ts';
import type { Scope } from '../../directory/scopes.ts';
import { Problem } from '../../problem.ts';
import type { Guard } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request; only on routes that are not public. */
    principal: Principal;
  }
  interface FastifyContextConfig {
    /** Whether the route answers without an API key. */
    public?: boolean;
  }
}

/** Gives requests the place for who makes them; once per app, before the routes. */
export function installPrincipal(app: FastifyInstance): void {
  app.decorateRequest('principal', null as never);
}

/** Asks for an API key wherever a route is not public: 401 comes before anything else is said. */
export function principalGuard(apiKeys: ApiKeys): Guard {
  const findPrincipal: onRequestHookHandler = (request, _reply, done) => {
    const found = apiKeys.authenticate(request.headers.authorization ?? '');
    if (found instanceof Promise) found.then((principal) => done(admit(request, principal)), done);
    else done(admit(request, found));
  };
  return (route) => (route?.config?.public === true ? null : findPrincipal);
}

/** A hook that lets only principals with the scope pass. It belongs behind the check that they may see the thing. */
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

/** A hook that lets only the root key pass. */
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
