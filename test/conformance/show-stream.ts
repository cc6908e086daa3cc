import type { NamedStream } from './stream-store.ts';

interface Entry {
  update: { value: unknown };
}

/** The body of a page as the writers of a stream know it: their own messages, without what an update has around it. */
export function showPage({ isJson }: NamedStream, page: string): Buffer {
  const values = valuesOf(page);
  return isJson ? Buffer.from(JSON.stringify(values)) : bytesOf(values);
}

/** Whether server-sent events carry a stream's messages in base64, text being all they can carry otherwise. */
export function isBase64({ isJson, contentType }: NamedStream): boolean {
  return !isJson && !contentType.toLowerCase().startsWith('text/');
}

/**
 * One server-sent event as the writers of the stream know it, and whether it is the last one: production streams never end, so
 * that a stream was closed is added here.
 */
export function showEvent(stream: NamedStream, event: string): { text: string; isLast: boolean } {
  const lines = event.split('\n');
  const at = lines.findIndex((line) => line.startsWith('data:'));
  const data = (lines[at] ?? '').slice('data:'.length);
  if (lines.includes('event: data')) {
    lines.splice(at, 1, ...dataLines(stream, data));
  } else if (lines.includes('event: control')) {
    const { streamNextOffset } = JSON.parse(data) as { streamNextOffset: string };
    if (stream.isClosed && streamNextOffset === stream.tail)
      return { text: closingEvent(stream), isLast: true };
  }
  return { text: `${lines.join('\n')}\n\n`, isLast: false };
}

/** The event after which a closed stream has no more. */
export function closingEvent({ tail }: NamedStream): string {
  const control = { streamNextOffset: tail, upToDate: true, streamClosed: true };
  return `id: ${tail}\nevent: control\ndata:${JSON.stringify(control)}\n\n`;
}

function dataLines(stream: NamedStream, data: string): string[] {
  const values = valuesOf(data);
  if (stream.isJson) return [`data:${JSON.stringify(values)}`];
  const bytes = bytesOf(values);
  if (isBase64(stream)) return [`data:${bytes.toString('base64')}`];
  return bytes
    .toString()
    .split(/\r\n|\r|\n/)
    .map((line) => `data:${line}`);
}

function valuesOf(page: string): unknown[] {
  return (JSON.parse(page) as Entry[]).map(({ update }) => update.value);
}

function bytesOf(values: unknown[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from(value as string, 'base64')));
}
