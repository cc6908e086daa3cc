import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problem.ts';
import type { Guard } from './guards.ts';

interface KnownPath {
  pattern: RegExp;
  verbs: Set<string>;
}

/** Answers 405 with `Allow` for a wrong verb on a known path and 404 for any other unknown path, before the body is read. */
export function verbGuard(app: FastifyInstance): Guard {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = paths.get(url) ?? { pattern: toPattern(url), verbs: new Set() };
    for (const verb of [method].flat()) path.verbs.add(verb);
    paths.set(url, path);
  });
  // The guard answers; the handler only makes Fastify run hooks for unknown addresses.
  app.setNotFoundHandler(() => {
    throw new Problem('not_found');
  });
  return (route) => {
    if (route !== null) return null;
    return function refuseUnknown(request, _reply, done) {
      const address = plainPath(request.url);
      const known = [...paths.values()].filter(({ pattern }) => pattern.test(address));
      const allow = [...new Set(known.flatMap(({ verbs }) => [...verbs]))].sort().join(', ');
      if (allow === '') done(new Problem('not_found', { detail: 'There is nothing at this address.' }));
      else done(new Problem('method_not_allowed', { detail: `Allowed here: ${allow}.`, headers: { allow } }));
    };
  };
}

function plainPath(url: string): string {
  const [path = '/'] = url.split('?', 1);
  return path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
}

function toPattern(url: string): RegExp {
  const literal = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/(?<=.)\/$/, '');
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, '[^/]+')}$`);
}
