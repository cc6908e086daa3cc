import { NoAnswerError } from '../errors.ts';
import { withTimeLimit } from '../http/time-limit.ts';

/** A server-sent event. */
export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/**
 * The events of a body of server-sent events, each as soon as it is whole. Throws a `NoAnswerError` if the connection is cut, if nothing
 * comes for `silenceMs`, or if `caller` aborts. Leaving the loop cancels the body.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  caller: AbortSignal | undefined,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await withTimeLimit(silenceMs, caller, () => reader.read());
      if (done) return;
      yield* parser.parse(decoder.decode(value, { stream: true }));
    }
  } catch (cause) {
    throw new NoAnswerError(cause);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Parses a stream that comes in pieces, cut anywhere. */
class EventParser {
  private rest = '';
  private fields: Record<string, string> = {};

  *parse(text: string): Generator<ServerEvent> {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = this.parseLine(line.replace(/\r$/, ''));
      if (event !== null) yield event;
    }
  }

  private parseLine(line: string): ServerEvent | null {
    const { fields } = this;
    if (line === '') {
      this.fields = {};
      return fields.data === undefined ? null : { id: '', event: 'message', data: '', ...fields };
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    fields[name] = name === 'data' && fields.data !== undefined ? `${fields.data}\n${value}` : value;
    return null;
  }
}
