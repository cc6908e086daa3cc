import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UpdateBatch } from '../../updates/read-updates.ts';
import { showAll, type UpdateFilter } from '../../updates/update-filter.ts';

/** What every answer with updates says to browsers and caches. */
export const COMMON_HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'private, no-store',
};

const shared = new WeakMap<UpdateBatch, Buffer>();

/** The part of a batch that a filter leaves; the batch itself where that is all of it. */
export function filterBatch(batch: UpdateBatch, filter: UpdateFilter): UpdateBatch {
  return filter === showAll ? batch : { ...batch, entries: batch.entries.filter(filter) };
}

/** Answers a catch-up read; `isFleeting` for a page that is another one the next moment. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: UpdateBatch,
  isFleeting: boolean,
): FastifyReply {
  reply.headers(COMMON_HEADERS);
  if (isFleeting) return sendEntries(reply, page);
  const etag = etagOf(request.url, page);
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag)) return reply.code(304).headers(positionHeaders(page)).send();
  return sendEntries(reply, page);
}

/** Answers with updates and where to go on from. Those who were given the same batch are sent the same bytes. */
export function sendEntries(reply: FastifyReply, batch: UpdateBatch): FastifyReply {
  reply.headers({
    ...positionHeaders(batch),
    'content-type': 'application/json',
  });
  const known = shared.get(batch);
  const body = known ?? Buffer.from(`[${batch.entries.map(({ json }) => json).join(',\n')}]`);
  if (known === undefined) shared.set(batch, body);
  return reply.send(body);
}

/** Where a batch ends. */
export function positionHeaders({
  next,
  upToDate,
}: Pick<UpdateBatch, 'next' | 'upToDate'>): Record<string, string> {
  return {
    'stream-next-offset': next,
    ...(upToDate && { 'stream-up-to-date': 'true' }),
  };
}

/** What lies between two offsets never changes, but how much of it was trimmed and whether more has come does. */
function etagOf(url: string, { entries, next, upToDate }: UpdateBatch): string {
  const parts = [url, entries[0]?.offset, entries.length, next, upToDate];
  return `"${hash('sha256', JSON.stringify(parts)).slice(0, 32)}"`;
}
