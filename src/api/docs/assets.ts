import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { Problem } from '../../problem.ts';
import { matchesEtag } from '../headers/matches-etag.ts';
import { vary } from '../headers/vary.ts';
import { pickEncoding } from '../openapi/serve-document.ts';
import { basePath } from '../records/location.ts';

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
const SUFFIXES = { br: '.br', gzip: '.gz', identity: '' };
const FOREVER = 'public, max-age=31536000, immutable';

// Where the compiler puts them, seen from the source and from what is compiled of it.
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/docs-page/' : '../../../docs-page/',
  import.meta.url,
);

/** The scripts, the style and the icon of the pages, as they were built. */
export interface Assets {
  /** The names of the scripts and of the styles. */
  scripts: string[];
  styles: string[];
  /** The address of a file, without the origin. It changes with the content of any file. */
  addressOf(file: string): string;
}

/** `/docs/assets/{version}/{file}`: what the pages are made of, kept by browsers for good. */
export function addAssets(app: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>): Assets {
  const files = new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(new URL(file, FOLDER))]));
  const names = [...files.keys()].filter((file) => TYPES[extensionOf(file)] !== undefined).sort();
  const contents = names.map((file) => hash('sha256', files.get(file) as Buffer));
  const own = hash('sha256', contents.join(' ')).slice(0, 16);
  app.get(
    '/docs/assets/:version/:file',
    { config: { public: true }, schema: { hide: true } },
    async (request, reply) => {
      const { version, file } = request.params as { version: string; file: string };
      if (!names.includes(file)) throw new Problem('not_found');
      const encoding = pickEncoding(request.headers['accept-encoding']);
      const etag = `"${own}-${encoding}"`;
      vary(reply, 'Accept-Encoding');
      reply.headers({
        etag,
        'content-type': TYPES[extensionOf(file)] as string,
        // During an update of the service, a page may come from another release than its files.
        'cache-control': version === own ? FOREVER : 'no-cache',
      });
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.send(files.get(file + SUFFIXES[encoding]));
    },
  );
  return {
    scripts: names.filter((file) => extensionOf(file) === 'js'),
    styles: names.filter((file) => extensionOf(file) === 'css'),
    addressOf: (file) => `${basePath(config)}/docs/assets/${own}/${file}`,
  };
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1);
}
