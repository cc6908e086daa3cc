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

// The compiler's output folder, relative to the source and to the compiled file.
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/pages/' : '../../../pages/',
  import.meta.url,
);

/** The scripts, the styles and the icon of the pages, as they were built: each in the folder of its page, or in `shared`. */
export interface Assets {
  /** The files of a page with this extension, shared ones first, such as `docs/main.js`. */
  filesOf(page: PageName, extension: 'js' | 'css'): string[];
  /** The address of a file, without the origin. It changes with the content of any file. */
  addressOf(file: string): string;
}

/** A page that has files of its own. */
export type PageName = 'docs' | 'console';

/** `/assets/{version}/{path}`: the files of the pages, which browsers cache forever. */
export function addAssets(app: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>): Assets {
  const files = new Map(
    readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.includes('.'))
      .map((file) => [file.replaceAll('\\', '/'), readFileSync(new URL(file, FOLDER))]),
  );
  const names = [...files.keys()].filter((file) => TYPES[extensionOf(file)] !== undefined).sort();
  const contents = names.map((file) => hash('sha256', files.get(file) as Buffer));
  const current = hash('sha256', contents.join(' ')).slice(0, 16);
  app.get(
    '/assets/:version/*',
    { config: { public: true }, schema: { hide: true } },
    async (request, reply) => {
      const { version, '*': file } = request.params as { version: string; '*': string };
      if (!names.includes(file)) throw new Problem('not_found');
      const encoding = pickEncoding(request.headers['accept-encoding']);
      const etag = `"${current}-${encoding}"`;
      vary(reply, 'Accept-Encoding');
      reply.headers({
        etag,
        'content-type': TYPES[extensionOf(file)] as string,
        // During an update of the service, a page may come from another release than its files.
        'cache-control': version === current ? FOREVER : 'no-cache',
      });
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.send(files.get(file + SUFFIXES[encoding]));
    },
  );
  return {
    filesOf: (page, extension) =>
      ['shared', page].flatMap((folder) =>
        names.filter((file) => file.startsWith(`${folder}/`) && extensionOf(file) === extension),
      ),
    addressOf: (file) => `${basePath(config)}/assets/${current}/${file}`,
  };
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1);
}
