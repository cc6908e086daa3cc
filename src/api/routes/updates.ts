import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Workspace } from '../../directory/collections.ts';
import { type ReadFrom, readUpdates, type UpdateBatch } from '../../updates/read-updates.ts';
import { readUpdatesPage } from '../../updates/read-updates-page.ts';
import type { UpdateFilter } from '../../updates/update-filter.ts';
import { readForLive, type TakeTurn } from '../../updates/workspace-feed.ts';
import type { ApiDeps } from '../deps.ts';
import { asksFor } from '../headers/accept.ts';
import { vary } from '../headers/vary.ts';
import type { UnreadReader } from '../limits/unread-bytes.ts';
import { readmitLate, requireScope } from '../plugins/principal.ts';
import { requireRecord } from '../plugins/require-record.ts';
import { problems, update } from '../records/shapes.ts';
import { callerSignal } from '../server/caller-signal.ts';
import { type FirstRead, readFirst, takeFirst } from '../updates/read-first.ts';
import { streamCursor } from '../updates/stream-cursor.ts';
import { streamUpdates } from '../updates/stream-updates.ts';
import {
  COMMON_HEADERS,
  cutBatch,
  etagOf,
  filterBatch,
  positionHeaders,
  sendEntries,
  sendPage,
} from '../updates/updates-page.ts';
import {
  checkUpdatesQuery,
  filterOf,
  startOf,
  type UpdatesQuery,
  updatesQuery,
} from '../updates/updates-query.ts';

const LONG_POLL_MS = 25_000;
const READS_PER_PAGE = 10;

const schema = {
  tags: ['Updates'],
  operationId: 'readUpdates',
  summary: 'Read the updates of a workspace',
  description:
    'Returns the updates after an offset: those that are there; with `live=long-poll` waits for the next ones; with `live=sse` streams them. `/asyncapi.json` describes the updates. `Accept: text/event-stream` asks for server-sent events too, and `Last-Event-ID` takes precedence over `offset`.',
  querystring: updatesQuery,
  response: {
    200: {
      description: 'Updates after the offset; continue from `Stream-Next-Offset`',
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

interface LiveStart {
  start: ReadFrom;
  filter: UpdateFilter;
  /** When the request was let in (by `performance.now`). */
  since: number;
}

interface LiveRead {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Updates to be sent first. */
  first: FirstRead;
  filter: UpdateFilter;
  takeTurn: TakeTurn;
  unread: UnreadReader;
}

/** `/v1/workspaces/{workspaceId}/updates`: catch-up, long poll and server-sent events. */
export function addUpdateRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { reads } = deps;
  const readmit = readmitLate(deps.directory);
  const url = '/v1/workspaces/:workspaceId/updates';
  const onRequest = [
    requireRecord(deps.directory, 'workspaces', 'workspaceId'),
    requireScope('updates:read'),
  ];
  // So that the server can close, live reads are ended with the offset to resume from.
  app.addHook('preClose', async () => deps.updates.close());

  app.head(url, { onRequest, schema: { hide: true } }, async (request, reply) => {
    const { next } = await readEnd(request);
    reply.headers({
      ...COMMON_HEADERS,
      'content-type': 'application/json',
      'stream-next-offset': next,
    });
    return reply.send();
  });

  app.get(url, { onRequest, schema, exposeHeadRoute: false }, async (request, reply) => {
    const since = performance.now();
    const query = request.query as UpdatesQuery;
    const wantsEvents =
      query.live === undefined && asksFor(request.headers.accept, 'text/event-stream', 'application/json');
    vary(reply, 'Accept');
    const isStream = query.live === 'sse' || wantsEvents;
    const start = startOf(query, isStream ? resumePoint(request) : undefined);
    // Only where a reader begins: one that resumes may name accounts that were deleted since.
    const accounts = typeof start === 'string' ? deps.directory.accounts : null;
    await checkUpdatesQuery(accounts, request.record.id, query, isStream);
    const filter = filterOf(query);
    const isLive = isStream || query.live !== undefined;
    if (isLive)
      return sendLive(request, reply, { start, filter, since }, isStream ? sendEvents : sendLongPoll);
    const page = cutBatch(await fillPage(request, start, filter), query.limit);
    return sendPage(request, reply, page, start === 'end');
  });

  /** A single command need not wait for a turn. */
  function readEnd({ record }: FastifyRequest): Promise<UpdateBatch> {
    return readUpdates(deps.directory.redis, record.id, 'end');
  }

  /** Reads on, within bounds, while the filter leaves nothing: readers would take an empty page for the end. */
  async function fillPage(
    request: FastifyRequest,
    start: ReadFrom,
    filter: UpdateFilter,
  ): Promise<UpdateBatch> {
    if (start === 'end') return readEnd(request);
    const { id } = request.record;
    let from = start;
    for (let count = 1; ; count++) {
      const name = `page ${id} ${from === 'beginning' ? from : from.offset}`;
      const at = from;
      const batch = await reads.runPaced(request, () => readUpdatesPage(reads.redis, id, at), { name });
      const page = filterBatch(batch, filter);
      if (page.entries.length > 0 || page.upToDate || count === READS_PER_PAGE) return page;
      from = { offset: batch.next };
    }
  }

  async function sendLive(
    request: FastifyRequest,
    reply: FastifyReply,
    { start, filter, since }: LiveStart,
    send: (live: LiveRead) => Promise<unknown>,
  ): Promise<unknown> {
    const leave = reads.live.take(request.principal);
    const unread = reads.unread.join(organizationOf(request));
    const takeTurn: TakeTurn = (name, read) => reads.runPaced(request, read, { name, isExempt: true });
    try {
      const readStart = () => readForLive(reads.redis, request.record.id, start, takeTurn);
      const first: FirstRead = { batch: null };
      if (start === 'end') first.batch = await readEnd(request);
      else if (send === sendEvents) first.batch = await readFirst(unread, callerSignal(request), readStart);
      else first.batch = await readStart();
      // It may have waited for room: a key that was deleted meanwhile must not be followed by a whole stream.
      await readmit(request, since);
      return await send({ request, reply, first, filter, takeTurn, unread });
    } finally {
      leave();
      unread.leave();
    }
  }

  async function sendLongPoll({
    request,
    reply,
    first: read,
    filter,
    takeTurn,
  }: LiveRead): Promise<FastifyReply> {
    const gone = callerSignal(request);
    const endsAt = performance.now() + LONG_POLL_MS;
    const isOver = () => gone.aborted || deps.updates.signal.aborted;
    const { cursor, limit } = request.query as UpdatesQuery;
    reply.headers({ ...COMMON_HEADERS, 'stream-cursor': streamCursor(cursor) });
    const followed = deps.updates.follow(request.record.id, takeTurn);
    try {
      for (;;) {
        const { page, isAll } = takePage(read, filter);
        if (page.entries.length > 0) {
          const sent = cutBatch(page, limit);
          return sendEntries(reply.header('etag', etagOf(request.url, sent)), sent);
        }
        const leftMs = endsAt - performance.now();
        if (leftMs <= 0 || isOver()) return reply.code(204).headers(positionHeaders(page)).send();
        let { next } = page;
        if (isAll) {
          next = await followed.waitFor(next, { isWanted: filter, timeoutMs: leftMs, signal: gone });
          if (!isOver()) await reads.polls.next(organizationOf(request));
        }
        read.batch = await followed.readAfter(next);
      }
    } finally {
      followed.close();
    }
  }

  async function sendEvents({ request, reply, first, filter, takeTurn, unread }: LiveRead): Promise<void> {
    const { raw } = reply.hijack();
    const { cursor } = request.query as UpdatesQuery;
    const followed = deps.updates.follow(request.record.id, takeTurn);
    raw.on('error', () => undefined);
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      ...COMMON_HEADERS,
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    try {
      await streamUpdates({ raw, followed, first, unread, filter, cursor, closing: deps.updates.signal });
    } catch (err) {
      request.log.error({ err }, 'update stream failed');
    } finally {
      followed.close();
    }
  }
}

/** Takes what was read: the updates that pass the filter, and whether there is nothing more to read now. */
function takePage(read: FirstRead, filter: UpdateFilter): { page: UpdateBatch; isAll: boolean } {
  const batch = takeFirst(read);
  // Nothing comes where more is being read for all readers: they are woken then.
  return { page: filterBatch(batch, filter), isAll: batch.upToDate || batch.entries.length === 0 };
}

function organizationOf({ record }: FastifyRequest): string {
  return (record as Workspace).organizationId;
}

function resumePoint(request: FastifyRequest): string | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
