import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UpdateBatch } from '../../updates/read-updates.ts';
import { showAll, type UpdateFilter } from '../../updates/update-filter.ts';
import { matchesEtag } from '../headers/matches-etag.ts';

/** The headers of every answer with updates. */
export const COMMON_HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'private, no-store',
};

// Readers of the same batch share its JSON.
const bodies = new WeakMap<UpdateBatch, Buffer>();

/** The part of a batch that matches a filter; the batch itself if that is all of it. */
export function filterBatch(batch: UpdateBatch, filter: UpdateFilter): UpdateBatch {
  return filter === showAll ? batch : { ...batch, entries: batch.entries.filter(filter) };
}

/** The first updates of a batch, and the offset to continue from after them; the batch itself if it has no more. */
export function cutBatch(batch: UpdateBatch, limit: number | undefined): UpdateBatch {
  const last = limit === undefined ? undefined : batch.entries[limit - 1];
  if (last === undefined || batch.entries.length === limit) return batch;
  return { entries: batch.entries.slice(0, limit), next: last.offset, upToDate: false };
}

/** Answers a catch-up read, with 304 if the caller has this page. `isFleeting`: the page soon changes, so it gets no `ETag`. */
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
  if (matchesEtag(request.headers['if-none-match'], etag))
    return reply.code(304).headers(positionHeaders(page)).send();
  return sendEntries(reply, page);
}

/** Answers with updates and the offset to continue from. */
export function sendEntries(reply: FastifyReply, batch: UpdateBatch): FastifyReply {
  reply.headers({
    ...positionHeaders(batch),
    'content-type': 'application/json',
  });
  const known = bodies.get(batch);
  const body = known ?? Buffer.from(`[${batch.entries.map(({ json }) => json).join(',\n')}]`);
  if (known === undefined) bodies.set(batch, body);
  return reply.send(body);
}

/** The headers that tell the offset to continue from, and whether it is that of the newest update. */
export function positionHeaders({
  next,
  upToDate,
}: Pick<UpdateBatch, 'next' | 'upToDate'>): Record<string, string> {
  return {
    'stream-next-offset': next,
    ...(upToDate && { 'stream-up-to-date': 'true' }),
  };
}

/** The `ETag` of a page. The updates between two offsets never change, but some may be trimmed, and others may follow. */
export function etagOf(url: string, { entries, next, upToDate }: UpdateBatch): string {
  const parts = [url, entries[0]?.offset, entries.length, next, upToDate];
  return `"${hash('sha256', JSON.stringify(parts)).slice(0, 32)}"`;
}
