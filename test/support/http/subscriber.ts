import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** A lean reader of server-sent events: it keeps the events' data and the last id, and does not connect again. */
export interface Subscriber {
  /** Data events so far, and when they came (`performance.now`). */
  events: { data: string; at: number }[];
  lastId: string;
  isOver: boolean;
  request: ClientRequest;
  response: IncomingMessage;
}

/** Opens a stream of server-sent events on a connection of its own, and resolves once it is accepted. */
export function subscribe(url: string, key: string): Promise<Subscriber> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers: { authorization: `Bearer ${key}` } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`the stream answered ${response.statusCode}`));
        return;
      }
      const events: Subscriber['events'] = [];
      const subscriber: Subscriber = { events, lastId: '', isOver: false, request: sent, response };
      response
        .on('error', () => undefined)
        .on('close', () => {
          subscriber.isOver = true;
        });
      response.setEncoding('utf8').on(
        'data',
        splitAtBlankLines((block) => {
          subscriber.lastId = /^id: (.*)$/m.exec(block)?.[1] ?? subscriber.lastId;
          if (block.includes('event: data'))
            events.push({ data: block.slice(block.indexOf('data:[') + 5), at: performance.now() });
        }),
      );
      sent.on('error', () => undefined);
      resolve(subscriber);
    });
    sent.end();
  });
}

/** Takes a text in pieces and gives each block of it that a blank line ends. */
function splitAtBlankLines(give: (block: string) => void): (piece: string) => void {
  let pieces: string[] = [];
  let held = '';
  return (piece) => {
    const text = held + piece;
    // What ends here may be the first half of a blank line.
    held = text.endsWith('\n') && !text.endsWith('\n\n') ? '\n' : '';
    const parts = text.slice(0, text.length - held.length).split('\n\n');
    for (const [index, part] of parts.entries()) {
      pieces.push(part);
      if (index === parts.length - 1) return;
      give(pieces.join(''));
      pieces = [];
    }
  };
}
