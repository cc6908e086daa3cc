import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as it arrived. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
  at: number;
}

/** How a receiver answers: a status, or a handler that does it all. */
export type Answering = number | RequestListener;

/** A real HTTP server that takes deliveries, on a port of its own at loopback. */
export class Receiver {
  readonly url: string;
  readonly received: Received[] = [];
  /** What it does with the next delivery, given how many came before. */
  answer: (delivery: Received, count: number) => Answering = () => 204;
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  static async start(port = 0): Promise<Receiver> {
    let receiver: Receiver | undefined;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const delivery = {
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          path: request.url ?? '',
          at: Date.now(),
        };
        const answer = (receiver as Receiver).answer(delivery, (receiver as Receiver).received.length);
        (receiver as Receiver).received.push(delivery);
        if (typeof answer === 'function') answer(request, response);
        else response.writeHead(answer).end();
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    receiver = new Receiver(server);
    return receiver;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** The parsed bodies so far. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  get events(): any[] {
    return this.received.map(({ body }) => JSON.parse(body));
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}
