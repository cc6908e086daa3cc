import type { UpdateBatch } from '../../updates/read-updates.ts';
import { showAll, type UpdateFilter } from '../../updates/update-filter.ts';
import { streamCursor } from './stream-cursor.ts';

/** Server-sent events, also as one HTTP chunk. */
export interface Events {
  bytes: Buffer;
  chunk: Buffer;
}

/** A reader's options for events. */
export interface EventsWanted {
  filter: UpdateFilter;
  cursor: string | undefined;
}

const CRLF = '\r\n';

const shared = new WeakMap<UpdateBatch, Events>();

/** The events of a batch that others have been sent already, if there are any. */
export function madeEventsOf(batch: UpdateBatch, { filter, cursor }: EventsWanted): Events | undefined {
  return filter === showAll && cursor === undefined ? shared.get(batch) : undefined;
}

/** The events of a batch, null if none match the filter. Readers with the same options share the bytes. */
export function eventsOf(batch: UpdateBatch, wanted: EventsWanted): Events | null {
  const { filter, cursor } = wanted;
  const isShared = filter === showAll && cursor === undefined;
  const known = madeEventsOf(batch, wanted);
  if (known !== undefined) return known;
  const shown = filter === showAll ? batch.entries : batch.entries.filter(filter);
  if (shown.length === 0) return null;
  const data = shown.map(({ json }) => json).join(',');
  const events = toEvents(`id: ${batch.next}\nevent: data\ndata:[${data}]\n\n${controlText(batch, cursor)}`);
  if (isShared) shared.set(batch, events);
  return events;
}

/** The event with a reader's offset. */
export function controlEvent(at: Pick<UpdateBatch, 'next' | 'upToDate'>, cursor: string | undefined): Events {
  return toEvents(controlText(at, cursor));
}

/** Encodes events or comments. */
export function toEvents(text: string): Events {
  const length = Buffer.byteLength(text);
  const head = `${length.toString(16)}${CRLF}`;
  const chunk = Buffer.from(head + text + CRLF);
  return { chunk, bytes: chunk.subarray(head.length, head.length + length) };
}

function controlText(
  { next, upToDate }: Pick<UpdateBatch, 'next' | 'upToDate'>,
  cursor: string | undefined,
): string {
  const control = {
    streamNextOffset: next,
    streamCursor: streamCursor(cursor),
    ...(upToDate && { upToDate }),
  };
  return `id: ${next}\nevent: control\ndata:${JSON.stringify(control)}\n\n`;
}
