import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Followed } from '../../updates/follow-updates.ts';
import { type ReadFrom, readUpdates, type UpdateBatch } from '../../updates/read-updates.ts';
import type { UpdateEntry } from '../../updates/update-entry.ts';
import type { UpdateFilter } from '../../updates/update-filter.ts';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { requireRecord } from '../plugins/require-record.ts';
import { problems, update } from '../shapes.ts';
import { streamCursor } from '../stream-cursor.ts';
import { streamUpdates } from '../stream-updates.ts';
import { SubscriberLimit } from '../subscriber-limit.ts';
import { filterOf, startOf, type UpdatesQuery, updatesQuery } from '../updates-query.ts';

const LONG_POLL_MS = 25_000;
const READS_A_PAGE = 10;

const COMMON_HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'private, no-store',
};

const schema = {
  tags: ['Updates'],
  operationId: 'readUpdates',
  summary: 'Read the updates of a workspace: what is there, or as they come',
  querystring: updatesQuery,
  response: {
    200: {
      description: 'Updates behind the offset; `Stream-Next-Offset` is where to go on from',
      content: {
        'application/json': { schema: z.array(update) },
        'text/event-stream': { schema: z.string() },
      },
    },
    204: z.null().describe('A long poll that ended without updates'),
    304: z.null().describe('Not modified'),
    ...problems(400, 403, 404, 410, 429),
  },
};

/** `/v1/workspaces/{workspaceId}/updates`: catch-up, long poll and server-sent events. */
export function addUpdateRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { redis } = deps.directory;
  const limit = new SubscriberLimit(deps.config.SUBSCRIBERS_PER_KEY);
  const url = '/v1/workspaces/:workspaceId/updates';
  const onRequest = [
    requireRecord(deps.directory, 'workspaces', 'workspaceId'),
    requireScope('updates:read'),
  ];
  // What still waits is sent home with its resume point, so that the server can close.
  app.addHook('preClose', async () => deps.updates.close());

  app.head(url, { onRequest, schema: { hide: true } }, async (request, reply) => {
    const { next } = await readUpdates(redis, request.record.id, 'end');
    reply.headers({
      ...COMMON_HEADERS,
      'content-type': 'application/json',
      'stream-next-offset': next,
    });
    return reply.send();
  });

  app.get(url, { onRequest, schema, exposeHeadRoute: false }, async (request, reply) => {
    const query = request.query as UpdatesQuery;
    const wantsEvents =
      query.live === undefined && (request.headers.accept ?? '').includes('text/event-stream');
    const isStream = query.live === 'sse' || wantsEvents;
    const start = startOf(query, isStream ? resumePoint(request) : undefined);
    const filter = filterOf(query);
    const isLive = isStream || query.live !== undefined;
    if (isLive) return sendLive(request, reply, start, filter, isStream ? sendEvents : sendLongPoll);
    const first = await readUpdates(redis, request.record.id, start);
    const page = await fillPage(request.record.id, first, filter);
    return sendPage(request, reply, page, start === 'end');
  });

  async function sendLive(
    request: FastifyRequest,
    reply: FastifyReply,
    start: ReadFrom,
    filter: UpdateFilter,
    send: typeof sendEvents | typeof sendLongPoll,
  ): Promise<unknown> {
    const leave = limit.take(request.principal);
    try {
      const first = await readUpdates(redis, request.record.id, start);
      return await send(request, reply, first, filter);
    } finally {
      leave();
    }
  }

  /** Reads on while a filter leaves nothing, within bounds: an empty page that is not up to date is no end. */
  async function fillPage(
    workspaceId: string,
    first: UpdateBatch,
    filter: UpdateFilter,
  ): Promise<UpdateBatch> {
    let batch = first;
    let entries = batch.entries.filter(filter);
    for (let reads = 1; entries.length === 0 && !batch.upToDate && reads < READS_A_PAGE; reads++) {
      batch = await readUpdates(redis, workspaceId, { offset: batch.next });
      entries = batch.entries.filter(filter);
    }
    return { ...batch, entries };
  }

  async function sendLongPoll(
    request: FastifyRequest,
    reply: FastifyReply,
    first: UpdateBatch,
    filter: UpdateFilter,
  ): Promise<FastifyReply> {
    const gone = goneSignal(reply);
    const endsAt = performance.now() + LONG_POLL_MS;
    const { cursor } = request.query as UpdatesQuery;
    reply.headers({ ...COMMON_HEADERS, 'stream-cursor': streamCursor(cursor) });
    const followed = deps.updates.follow(request.record.id);
    try {
      let batch = first;
      for (;;) {
        const entries = batch.entries.filter(filter);
        if (entries.length > 0) return sendEntries(reply, { ...batch, entries });
        const leftMs = endsAt - performance.now();
        if (leftMs <= 0 || gone.aborted || deps.updates.signal.aborted) break;
        if (batch.upToDate) await followed.untilBehind(batch.next, leftMs, gone);
        batch = await followed.readBehind(batch.next);
      }
      return reply.code(204).headers(positionHeaders(batch)).send();
    } finally {
      followed.close();
    }
  }

  async function sendEvents(
    request: FastifyRequest,
    reply: FastifyReply,
    first: UpdateBatch,
    filter: UpdateFilter,
  ): Promise<void> {
    const { raw } = reply.hijack();
    const { cursor } = request.query as UpdatesQuery;
    const followed: Followed = deps.updates.follow(request.record.id);
    raw.on('error', () => undefined);
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      ...COMMON_HEADERS,
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    try {
      await streamUpdates({ raw, followed, first, filter, cursor, closing: deps.updates.signal });
    } catch (err) {
      request.log.error({ err }, 'update stream failed');
    } finally {
      followed.close();
    }
  }
}

function sendPage(
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

function sendEntries(reply: FastifyReply, batch: UpdateBatch): FastifyReply {
  reply.headers({
    ...positionHeaders(batch),
    'content-type': 'application/json',
  });
  return reply.send(Buffer.from(toJsonArray(batch.entries)));
}

function toJsonArray(entries: UpdateEntry[]): string {
  return `[${entries.map(({ json }) => json).join(',\n')}]`;
}

function positionHeaders({ next, upToDate }: UpdateBatch): Record<string, string> {
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

function resumePoint(request: FastifyRequest): string | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
