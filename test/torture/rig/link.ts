import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

type Losses = 'nothing' | 'answers' | 'everything';

/** What goes through waits this long, and some of it never arrives. */
type Weather = { delayMs: number; loses: Losses };

/** The network between one process and Redis: a TCP proxy that can cut, swallow and delay what goes through. */
export class Link {
  private readonly server: Server;
  private readonly targetPort: number;
  private readonly pairs = new Set<[Socket, Socket]>();
  private readonly forgotten = new WeakSet<Socket>();
  private weather: Weather = { delayMs: 0, loses: 'nothing' };

  private constructor(targetPort: number) {
    this.targetPort = targetPort;
    this.server = createServer({ noDelay: true }, (near) => this.join(near));
  }

  /** Opens a proxy to a port of this machine. */
  static async open(targetPort: number): Promise<Link> {
    const link = new Link(targetPort);
    link.server.listen(0, '127.0.0.1');
    await once(link.server, 'listening');
    return link;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Resets every connection. */
  cut(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** Lets nothing more through the connections there are, for good and without a word; new ones are not affected. */
  forget(): void {
    for (const pair of this.pairs) for (const socket of pair) this.forgotten.add(socket);
  }

  /** Loses everything that comes, or only what Redis says, and keeps the connections open, until `heal`. */
  lose(loses: Losses): void {
    this.weather = { ...this.weather, loses };
  }

  /** Holds everything back for a while, until `heal`. */
  slow(delayMs: number): void {
    this.weather = { ...this.weather, delayMs };
  }

  /** Good weather again; connections that lost something are reset. */
  heal(): void {
    const { loses } = this.weather;
    this.weather = { delayMs: 0, loses: 'nothing' };
    if (loses !== 'nothing') this.cut();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
  }

  private join(near: Socket): void {
    const far = connect({ host: '127.0.0.1', port: this.targetPort, noDelay: true });
    const pair: [Socket, Socket] = [near, far];
    this.pairs.add(pair);
    this.forward(near, far, false);
    this.forward(far, near, true);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.pairs.delete(pair);
        for (const one of pair) one.destroy();
      });
    }
  }

  private forward(from: Socket, to: Socket, isAnswer: boolean): void {
    const isLost = ({ loses }: Weather) => loses === 'everything' || (loses === 'answers' && isAnswer);
    // One line, served in turn: timers that end in the same ms do not keep their order, and bytes must.
    const line: { chunk: Buffer; dueAt: number }[] = [];
    const serve = () => {
      for (let next = line[0]; next; next = line[0]) {
        const ms = Math.ceil(next.dueAt - performance.now());
        if (ms > 0) return void setTimeout(serve, ms);
        line.shift();
        if (!isLost(this.weather) && !this.forgotten.has(from)) write(next.chunk, from, to);
      }
    };
    from.on('data', (chunk) => {
      const dueAt = performance.now() + this.weather.delayMs;
      if (line.push({ chunk, dueAt }) === 1) serve();
    });
  }
}

function write(chunk: Buffer, from: Socket, to: Socket): void {
  if (to.destroyed || to.write(chunk)) return;
  from.pause();
  to.once('drain', () => from.resume());
}
