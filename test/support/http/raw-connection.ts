import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../eventually.ts';

/** An answer as it stood on the wire. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A TCP connection that sends exactly what a test says, HTTP or not. */
export class RawConnection {
  readonly socket: Socket;
  closed = false;
  private received = Buffer.alloc(0);
  private keeps = true;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      if (this.keeps) this.received = Buffer.concat([this.received, chunk]);
    });
    // A server may well refuse to go on listening.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** Takes what is answered and keeps none of it, for a test that does not look at it. */
  ignoreAnswers(): this {
    this.keeps = false;
    return this;
  }

  /** Closes the sending side. */
  finish(): this {
    this.socket.end();
    return this;
  }

  /** Whether the server has closed its side, or all of it. */
  get isOver(): boolean {
    return this.closed || this.socket.readableEnded;
  }

  /** Waits for so many whole answers, those before the final ones (1xx) aside. */
  answers(count: number, timeoutMs = 20_000): Promise<RawAnswer[]> {
    return eventually(
      () => {
        const found = parseAnswers(this.received).filter(({ status }) => status >= 200);
        return found.length >= count ? found : undefined;
      },
      { timeoutMs },
    );
  }

  /** Waits until the server has closed; gives all it has said, as it could be read. */
  async untilOver(timeoutMs = 20_000): Promise<RawAnswer[]> {
    await eventually(() => this.isOver || undefined, { timeoutMs });
    this.socket.destroy();
    return parseAnswers(this.received);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The answer to one request on a connection of its own that ends with it. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<RawAnswer[]> {
  const connection = await RawConnection.open(url);
  connection.send(bytes);
  const answers = await connection.answers(1);
  connection.close();
  return answers;
}

/** The whole answers in some bytes; throws where the bytes are no HTTP. */
function parseAnswers(bytes: Buffer): RawAnswer[] {
  const text = bytes.toString('latin1');
  const answers: RawAnswer[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end === -1) break;
    const [start = '', ...lines] = text.slice(at, end).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1];
    if (status === undefined) throw new Error(`Not an answer: ${JSON.stringify(text.slice(at, at + 200))}`);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const isChunked = headers['transfer-encoding'] === 'chunked';
    const size = isChunked
      ? text.indexOf('0\r\n\r\n', end) + 1 - end
      : Number(headers['content-length'] ?? 0);
    at = end + 4 + size;
    if (at > text.length) break;
    answers.push({ status: Number(status), headers, body: text.slice(end + 4, at) });
  }
  return answers;
}
