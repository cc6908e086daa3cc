import type { FastifyInstance } from 'fastify';
import { suggestName } from '../../tl/suggest-name.ts';
import { withoutOrigin } from '../server/without-origin.ts';

interface KnownPath {
  url: string;
  pattern: RegExp;
  verbs: Set<string>;
}

// No route has a longer address.
const SHOWN_MAX = 200;
const PARTS_MAX = 10;

/** The addresses of all routes, with their verbs. Before the routes are added. */
export class KnownPaths {
  private readonly paths = new Map<string, KnownPath>();
  private words: readonly string[] | undefined;

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

  /**
   * The known address that was probably meant by a wrong one, or null. The wrong address may lack `/v1` or have it twice, end too early,
   * end like that of a call, have one wrong word, or have a prefix such as an owner.
   */
  suggest(url: string): string | null {
    const path = plainPath(url);
    if (path.length > SHOWN_MAX) return null;
    for (const like of this.alike(path)) {
      const [other] = this.find(like);
      if (other !== undefined && !other.url.includes('*')) return other.url.replace(/:([A-Za-z]+)/g, '{$1}');
    }
    return null;
  }

  private *alike(path: string): Generator<string> {
    const withOther = (like: string) => (like.startsWith('/v1/') ? like.slice('/v1'.length) : `/v1${like}`);
    const parts = path.split('/').slice(1);
    yield withOther(path);
    if (parts.length > PARTS_MAX) return;
    yield `${path}/x`;
    // A method has a dot, or by mistake a slash; an id has neither.
    if (/\/call\/[^/.]+[./][^/]+$/.test(path)) yield '/workspaces/x/messenger-accounts/x/call/x';
    for (const [at, part] of parts.entries())
      for (const meant of this.wordsLike(part)) {
        const like = `/${parts.with(at, meant).join('/')}`;
        yield like;
        yield withOther(like);
      }
    if (parts.length > 1) yield `/${parts.slice(1).join('/')}`;
    yield path.replace(/^\/v1\/[^/]+\/[^/]+\//, '/v1/');
  }

  private wordsLike(word: string): string[] {
    this.words ??= [...new Set([...this.paths.keys()].flatMap((url) => url.split('/')))].filter((one) =>
      /^[a-z.-]+$/.test(one),
    );
    const longer = this.words.find((one) => one.split(/[.-]/).includes(word));
    const number = word.endsWith('s') ? word.slice(0, -1) : `${word.replace(/(?<=[^aeiou])y$/, 'ie')}s`;
    return [suggestName(word, this.words), longer, number].filter(
      (one): one is string => typeof one === 'string' && one !== word,
    );
  }

  private find(path: string): KnownPath[] {
    return [...this.paths.values()].filter(({ pattern }) => pattern.test(path));
  }
}

function plainPath(url: string): string {
  const [path = '/'] = withoutOrigin(url).split('?', 1);
  return path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
}

function toPattern(url: string): RegExp {
  const literal = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/(?<=.)\/$/, '');
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, '[^/]+').replace(/\\\*$/, '.+')}$`);
}
