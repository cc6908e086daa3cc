/** An event of a stream: its id, its name and its data. */
interface StreamEvent {
  id: string;
  event: string;
  data: string;
}

/** Reads server-sent events as they arrive. The browser's own `EventSource` cannot send a key. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const events = (rest + part.value).split('\n\n');
    rest = events.pop() ?? '';
    for (const text of events) yield parseEvent(text);
  }
}

function parseEvent(text: string): StreamEvent {
  const found: StreamEvent = { id: '', event: '', data: '' };
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined) found[name as keyof StreamEvent] += value;
  }
  return found;
}
