import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problem.ts';

interface KnownPath {
  pattern: RegExp;
  verbs: Set<string>;
}

/** Answers a wrong verb on a known path with 405 and `Allow`, any other unknown path with 404, before the body is read. */
export function installVerbs(app: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = paths.get(url) ?? {
      pattern: toPattern(url),
      verbs: new Set(),
    };
    for (const verb of [method].flat()) path.verbs.add(verb);
    paths.set(url, path);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done();
    const address =
      request.url
        .split('?', 1)[0]
        ?.replace(/\/+/g, '/')
        .replace(/(?<=.)\/$/, '') ?? '/';
    const verbs = [...paths.values()]
      .filter(({ pattern }) => pattern.test(address))
      .flatMap(({ verbs }) => [...verbs]);
    if (verbs.length === 0)
      return done(
        new Problem('not_found', {
          detail: 'There is nothing at this address.',
        }),
      );
    const allow = [...new Set(verbs)].sort().join(', ');
    done(
      new Problem('method_not_allowed', {
        detail: `Allowed here: ${allow}.`,
        headers: { allow },
      }),
    );
  });
  // Everything is said in the hook; the handler only makes Fastify run the hooks of the root for unknown paths.
  app.setNotFoundHandler(() => {
    throw new Problem('not_found');
  });
}

function toPattern(url: string): RegExp {
  const literal = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/(?<=.)\/$/, '');
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, '[^/]+')}$`);
}
