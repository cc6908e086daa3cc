import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problem.ts';
import { ANSWERED, type Guard } from './guards.ts';
import type { KnownPaths } from './known-paths.ts';

/** Answers `OPTIONS` of a known path with `Allow`, to everyone: the documents are public too. */
export function optionsGuard(paths: KnownPaths): Guard {
  return (route) => {
    if (route !== null) return null;
    return (request, reply) => {
      const allow = request.method === 'OPTIONS' ? paths.allowed(request.url) : '';
      if (allow === '') return undefined;
      reply.code(204).header('allow', allow).send();
      return ANSWERED;
    };
  };
}

/** Answers 405 with `Allow` for a wrong verb on a known path and 404 for any other unknown path, before the body is read. */
export function verbGuard(app: FastifyInstance, paths: KnownPaths): Guard {
  // The guard answers; the handler only makes Fastify run hooks for unknown addresses.
  app.setNotFoundHandler(() => {
    throw new Problem('not_found');
  });
  return (route) => {
    if (route !== null) return null;
    return ({ url }) => {
      const allow = paths.allowed(url);
      return allow === ''
        ? new Problem('not_found', { detail: detailOf(paths.suggest(url)) })
        : new Problem('method_not_allowed', { detail: `Allowed here: ${allow}.`, headers: { allow } });
    };
  };
}

function detailOf(meant: string | null): string {
  return meant === null
    ? 'There is nothing at this address: /openapi.json lists the addresses there are.'
    : `There is nothing at this address: did you mean ${meant}?`;
}
