import type { ServerResponse } from 'node:http';
import { Problem } from '../problem.ts';
import { isRedisUnavailable } from '../redis/failure.ts';
import type { Followed } from '../updates/follow-updates.ts';
import type { UpdateBatch } from '../updates/read-updates.ts';
import { showAll, type UpdateFilter } from '../updates/update-filter.ts';
import { streamCursor } from './stream-cursor.ts';

const SECOND = 1_000;
const HEARTBEAT_MS = 15 * SECOND;
const LIFE_MS = 60 * SECOND;
const PATIENCE_MS = 10 * SECOND;
const RECONNECT_MS = 1 * SECOND;

/** What a stream of server-sent events is made of. */
export interface SseStream {
  raw: ServerResponse;
  followed: Followed;
  /** What has been read already, to be sent first. */
  first: UpdateBatch;
  filter: UpdateFilter;
  cursor: string | undefined;
  /** Ends when the reader is gone. */
  gone: AbortSignal;
  /** Ends when everyone is to be sent away. */
  closing: AbortSignal;
}

/**
 * Sends updates as they come, for about a minute: then the reader comes again, with the last offset it was given. Whatever ends
 * the stream, nothing is lost or sent twice to a reader that does so.
 */
export async function streamUpdates(stream: SseStream): Promise<void> {
  try {
    await sendAll(stream);
  } finally {
    endStream(stream.raw, stream.closing);
  }
}

async function sendAll({ raw, followed, first, filter, cursor, gone, closing }: SseStream): Promise<void> {
  const endsAt = performance.now() + LIFE_MS * (0.9 + Math.random() * 0.2);
  const isOver = () => gone.aborted || closing.aborted || performance.now() >= endsAt;
  let announced: string | null = null;
  let lastWrite = 0;
  const write = (text: string | Buffer) => {
    lastWrite = performance.now();
    if (gone.aborted) return null;
    return raw.write(text) ? null : drained(raw, closing);
  };
  await write(`retry: ${RECONNECT_MS}\n: welcome\n\n`);
  let batch = first;
  for (;;) {
    const events = eventsOf(batch, filter, cursor);
    const isQuiet = performance.now() - lastWrite >= HEARTBEAT_MS;
    if (events !== null || announced === null || (isQuiet && announced !== batch.next)) {
      announced = batch.next;
      await write(events ?? controlEvent(batch, cursor));
    } else if (isQuiet) await write(': heartbeat\n\n');
    if (isOver()) break;
    if (batch.upToDate) {
      const now = performance.now();
      const quietAt = lastWrite + HEARTBEAT_MS;
      await followed.untilBehind(batch.next, Math.max(1, Math.min(quietAt, endsAt) - now), gone);
    }
    const following = await readOrEnd(followed, batch.next);
    if (following === null) break;
    batch = following;
  }
  if (announced !== batch.next) await write(controlEvent(batch, cursor));
}

const shared = new WeakMap<UpdateBatch, Buffer>();

/** The events of a batch, null if the filter leaves none. Those who want the same thing share the same bytes. */
function eventsOf(batch: UpdateBatch, filter: UpdateFilter, cursor: string | undefined): Buffer | null {
  const isShared = filter === showAll && cursor === undefined;
  const known = isShared ? shared.get(batch) : undefined;
  if (known !== undefined) return known;
  const shown = isShared ? batch.entries : batch.entries.filter(filter);
  if (shown.length === 0) return null;
  const data = shown.map(({ json }) => json).join(',');
  const events = Buffer.from(
    `id: ${batch.next}\nevent: data\ndata:[${data}]\n\n${controlEvent(batch, cursor)}`,
  );
  if (isShared) shared.set(batch, events);
  return events;
}

/** The event that tells a reader where it is. */
function controlEvent({ next, upToDate }: UpdateBatch, cursor: string | undefined): string {
  const control = {
    streamNextOffset: next,
    streamCursor: streamCursor(cursor),
    ...(upToDate && { upToDate }),
  };
  return `id: ${next}\nevent: control\ndata:${JSON.stringify(control)}\n\n`;
}

/** The next batch; null when the reader has to come again to be told why there is none. */
async function readOrEnd(followed: Followed, offset: string): Promise<UpdateBatch | null> {
  try {
    return await followed.readBehind(offset);
  } catch (error) {
    if (error instanceof Problem || isRedisUnavailable(error)) return null;
    throw error;
  }
}

/** Waits until a slow reader has taken what was sent; one that takes too long is cut off, and can resume. */
function drained(raw: ServerResponse, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cut = () => raw.destroy();
    const timer = setTimeout(cut, PATIENCE_MS);
    const settle = () => {
      clearTimeout(timer);
      closing.removeEventListener('abort', cut);
      raw.off('drain', settle).off('close', settle);
      resolve();
    };
    raw.on('drain', settle).on('close', settle);
    closing.addEventListener('abort', cut);
  });
}

/** Ends a stream; a reader that does not take the rest of it in time is cut off. */
function endStream(raw: ServerResponse, closing: AbortSignal): void {
  const cut = setTimeout(() => raw.destroy(), closing.aborted ? SECOND : PATIENCE_MS);
  raw.once('close', () => clearTimeout(cut));
  const { socket } = raw;
  raw.end(() => closing.aborted && socket?.destroySoon());
}
