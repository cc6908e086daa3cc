import { ApiError, NoAnswerError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import { type Limits, limitsOf, retrying, waitAfter } from '../http/retry.ts';
import { type HttpRequest, notOfApi, openStream } from '../http/send.ts';
import { sleep } from '../http/sleep.ts';
import type { TryOptions } from '../options.ts';
import { readEvents, type ServerEvent } from './read-events.ts';
import type { StreamGap, StreamItem, StreamUpdate, UpdateKind } from './stream-types.ts';

// The API sends something every 15 seconds.
const SILENCE_MS = 45_000;
const UNLIMITED = { attempts: Number.POSITIVE_INFINITY, timeoutMs: Number.POSITIVE_INFINITY };

/** The filters of an update stream, and the offset to start from. */
export interface UpdatesOptions<Kind extends UpdateKind = UpdateKind> extends TryOptions {
  /** The offset after which to read, such as that of the last update you have processed. `now`, the default, is the end; `-1` the beginning. */
  offset?: string | undefined;
  /** Only updates of these kinds. */
  kinds?: readonly Kind[] | undefined;
  /** Only updates of these messenger accounts. */
  accountIds?: readonly string[] | undefined;
  /**
   * Called with each offset that the reader has got to: the loop is done with all before it, also with gaps, and updates that the filters
   * leave out. To store it, rather than the offset of an update, keeps a reader of rare updates from falling behind what is kept. The next
   * update waits for the promise; a failure ends the loop.
   */
  onOffset?: ((offset: string) => void | Promise<void>) | undefined;
}

/** The filters as they are sent: of kinds, whatever the caller was given. */
interface Filters {
  kinds?: readonly string[] | undefined;
  accountIds?: readonly string[] | undefined;
}

/**
 * The updates of a workspace as they come, each once and in order, until the loop is left or the signal is aborted. A cut connection is
 * opened again where it ended. A gap is an item of its own, and the earliest updates that are held follow it; if what was read is gone from
 * the end, the new ones follow. `attempts` and `timeoutMs` bound the first connection; later ones are tried forever, unless these are given
 * here.
 */
export async function* followUpdates<Kind extends UpdateKind>(
  http: Http,
  workspaceId: string,
  options: UpdatesOptions<Kind>,
): AsyncGenerator<StreamItem<Kind>, void, undefined> {
  const { signal, offset = 'now', onOffset } = options;
  let limits = limitsOf(options, http.defaults);
  let at = offset === 'now' ? await findEnd(http, workspaceId, options) : offset;
  for (let failures = 0; ; ) {
    const opened = await openAfter(http, workspaceId, at, options, limits);
    if ('kind' in opened) {
      yield opened;
      at = opened.to;
      await onOffset?.(at);
      continue;
    }
    limits = limitsOf(options, { ...http.defaults, ...UNLIMITED });
    failures += 1;
    for await (const { id, event, data } of eventsUntilCut(opened, signal)) {
      if (event === 'data')
        for (const update of JSON.parse(data) as Extract<StreamUpdate, { kind: Kind }>[]) {
          signal?.throwIfAborted();
          yield update;
        }
      failures = 1;
      if (id === at) continue;
      at = id;
      await onOffset?.(at);
    }
    await sleep(waitAfter(failures), signal);
  }
}

/** The events of one connection, until it ends in whatever way; throws the reason of the signal. */
async function* eventsUntilCut(
  { body }: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent> {
  try {
    yield* readEvents(body as never, SILENCE_MS, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof NoAnswerError)) throw error;
  }
}

/** The offset of the newest update of a workspace. The API refuses filters that nothing can pass. */
export async function findEnd(
  http: Http,
  workspaceId: string,
  options: TryOptions & Filters,
): Promise<string> {
  // Not `HEAD`, whose errors have no body.
  const request = { method: 'GET', path: updatesPath(workspaceId, { offset: 'now' }, options) } as const;
  const { headers } = await http.request(request, options);
  const end = headers.get('stream-next-offset');
  // From the beginning on, all that is kept would be taken for new.
  if (end === null) throw new NoAnswerError(new Error('the answer has no header Stream-Next-Offset'));
  return end;
}

async function openAfter(
  http: Http,
  workspaceId: string,
  offset: string,
  options: UpdatesOptions,
  limits: Limits,
): Promise<Response | StreamGap> {
  const request = {
    method: 'GET',
    path: updatesPath(workspaceId, { live: 'sse', offset }, options),
  } as const;
  try {
    return await retrying(limits, (signal) => openEvents(http, request, signal));
  } catch (error) {
    return findGap(error, http, workspaceId, offset, { ...options, ...limits });
  }
}

/** Throws a `NoAnswerError` for what comes instead of events, such as a page of a proxy: it would be an endless stream of nothing. */
async function openEvents(http: Http, request: HttpRequest, signal: AbortSignal): Promise<Response> {
  const response = await openStream(http.target, request, signal);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  response.body?.cancel().catch(() => undefined);
  throw new NoAnswerError(notOfApi());
}

/** The gap after an offset that is gone, as an error says; throws any other error. */
export async function findGap(
  error: unknown,
  http: Http,
  workspaceId: string,
  offset: string,
  options: TryOptions,
): Promise<StreamGap> {
  if (!(error instanceof ApiError) || error.code !== 'offset_gone') throw error;
  const earliest = String(error.problem.earliestOffset);
  if (earliest > offset) return { kind: 'stream.gap', from: offset, to: earliest };
  // It was beyond the end: from the earliest update on, its reader would get again what it has had. The filters may name accounts that
  // were deleted since, which the API refuses here.
  const end = await findEnd(http, workspaceId, { ...options, kinds: undefined, accountIds: undefined });
  if (end < offset) return { kind: 'stream.gap', from: offset, to: end };
  // API processes may disagree on the end for a moment, while a replica takes over.
  await sleep(waitAfter(1), options.signal);
  return { kind: 'stream.gap', from: offset, to: offset };
}

/** The path of a request for updates with these query parameters, and those of the filters. */
export function updatesPath(
  workspaceId: string,
  members: Record<string, string>,
  { kinds, accountIds }: Filters,
): string {
  const query = new URLSearchParams(members);
  if (kinds !== undefined) query.set('kind', kinds.join(','));
  if (accountIds !== undefined) query.set('messengerAccountId', accountIds.join(','));
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}/updates?${query}`;
}
