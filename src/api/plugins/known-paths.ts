import type { FastifyInstance } from 'fastify';

interface KnownPath {
  url: string;
  pattern: RegExp;
  verbs: Set<string>;
}

// No route has a longer address.
const SHOWN_MAX = 200;

/** The addresses of all routes, with their verbs. Before the routes are added. */
export class KnownPaths {
  private readonly paths = new Map<string, KnownPath>();

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      const path = this.paths.get(url) ?? { url, pattern: toPattern(url), verbs: new Set() };
      for (const verb of [method].flat()) path.verbs.add(verb);
      this.paths.set(url, path);
    });
  }

  /** The verbs of an address, as `Allow` lists them; '' for an unknown one. */
  allowed(url: string): string {
    const verbs = this.find(plainPath(url)).flatMap((path) => [...path.verbs]);
    return verbs.length === 0 ? '' : [...new Set([...verbs, 'OPTIONS'])].sort().join(', ');
  }

  /** The address that is meant by one without its `/v1` or with one too many, as documents write it; null for any other. */
  suggest(url: string): string | null {
    const path = plainPath(url);
    if (path.length > SHOWN_MAX) return null;
    const [other] = this.find(path.startsWith('/v1/') ? path.slice('/v1'.length) : `/v1${path}`);
    return other === undefined ? null : other.url.replace(/:([A-Za-z]+)/g, '{$1}');
  }

  private find(path: string): KnownPath[] {
    return [...this.paths.values()].filter(({ pattern }) => pattern.test(path));
  }
}

function plainPath(url: string): string {
  const [path = '/'] = url.split('?', 1);
  return path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
}

function toPattern(url: string): RegExp {
  const literal = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/(?<=.)\/$/, '');
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, '[^/]+').replace(/\\\*$/, '.+')}$`);
}
