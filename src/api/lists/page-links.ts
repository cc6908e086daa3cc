import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Page } from '../../directory/page.ts';
import { basePath } from '../records/location.ts';
import { withoutOrigin } from '../server/without-origin.ts';

/** Sets the `Link` header of a page (RFC 8288): to the first, previous and next pages. */
export function linkPages(
  config: Pick<Config, 'PUBLIC_URL'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { cursors }: Pick<Page<unknown>, 'cursors'>,
): void {
  const end = `${request.url}?`.indexOf('?');
  // The router also accepts a complete URL and doubled slashes, which as a link would lead to another host.
  const path = withoutOrigin(request.url.slice(0, end)).replace(/\/{2,}/g, '/');
  const search = request.url.slice(end + 1);
  const link = (rel: string, cursor: Record<string, string>) => {
    const query = new URLSearchParams(search);
    query.delete('startingAfter');
    query.delete('endingBefore');
    for (const [name, value] of Object.entries(cursor)) query.set(name, value);
    return `<${basePath(config)}${path}${query.size === 0 ? '' : '?'}${query}>; rel="${rel}"`;
  };
  const links = [link('first', {})];
  if (cursors.previous !== null) links.push(link('prev', { endingBefore: cursors.previous }));
  if (cursors.next !== null) links.push(link('next', { startingAfter: cursors.next }));
  reply.header('link', links.join(', '));
}
