import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Page } from '../../directory/page.ts';
import { basePath } from '../records/location.ts';
import { withoutOrigin } from '../server/without-origin.ts';

/** Sets the `Link` header of a page (RFC 8288): to the first page, and to the previous and next ones that exist. */
export function linkPages(
  config: Pick<Config, 'PUBLIC_URL'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { cursors }: Pick<Page<unknown>, 'cursors'>,
): void {
  const [address = ''] = request.url.split('?', 1);
  // The router also accepts a complete URL and doubled slashes, which as a link would lead to another host.
  const path = withoutOrigin(address).replace(/\/{2,}/g, '/');
  const search = request.url.slice(address.length + 1);
  const linkTo = (rel: string, cursor: { startingAfter: string } | { endingBefore: string } | null) => {
    const query = new URLSearchParams(search);
    query.delete('startingAfter');
    query.delete('endingBefore');
    for (const [name, value] of Object.entries(cursor ?? {})) query.set(name, value);
    return `<${basePath(config)}${path}${query.size === 0 ? '' : '?'}${query}>; rel="${rel}"`;
  };
  const links = [linkTo('first', null)];
  if (cursors.previous !== null) links.push(linkTo('prev', { endingBefore: cursors.previous }));
  if (cursors.next !== null) links.push(linkTo('next', { startingAfter: cursors.next }));
  reply.header('link', links.join(', '));
}
