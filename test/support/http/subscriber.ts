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
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const at = performance.now();
        const blocks = (text + chunk).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          subscriber.lastId = /^id: (.*)$/m.exec(block)?.[1] ?? subscriber.lastId;
          if (block.includes('event: data'))
            events.push({ data: block.slice(block.indexOf('data:[') + 5), at });
        }
      });
      sent.on('error', () => undefined);
      resolve(subscriber);
    });
    sent.end();
  });
}
