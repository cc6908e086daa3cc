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
  private readonly answered: RawAnswer[] = [];
  /** What has come of an answer that is not whole yet. */
  private unread: Buffer[] = [];
  private hasNews = false;
  private keeps = true;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      if (!this.keeps) return;
      this.unread.push(chunk);
      this.hasNews = true;
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
        const found = this.read().filter(({ status }) => status >= 200);
        return found.length >= count ? found : undefined;
      },
      { timeoutMs },
    );
  }

  /** Waits until the server has closed; gives all it has said, as it could be read. */
  async untilOver(timeoutMs = 20_000): Promise<RawAnswer[]> {
    await eventually(() => this.isOver || undefined, { timeoutMs });
    this.socket.destroy();
    return this.read();
  }

  /** The whole answers so far; throws where the bytes are no HTTP. */
  private read(): RawAnswer[] {
    if (this.hasNews) {
      const bytes = Buffer.concat(this.unread);
      const { answers, end } = parseAnswers(bytes);
      this.answered.push(...answers);
      this.unread = [bytes.subarray(end)];
      this.hasNews = false;
    }
    return [...this.answered];
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

/** The whole answers in some bytes, and where they end; throws where the bytes are no HTTP. */
function parseAnswers(bytes: Buffer): { answers: RawAnswer[]; end: number } {
  const text = bytes.toString('latin1');
  const answers: RawAnswer[] = [];
  for (let at = 0; ; ) {
    const head = text.indexOf('\r\n\r\n', at);
    if (head === -1) return { answers, end: at };
    const [start = '', ...lines] = text.slice(at, head).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1];
    if (status === undefined) throw new Error(`Not an answer: ${JSON.stringify(text.slice(at, at + 200))}`);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const end = endOf(text, head + 4, headers);
    if (end > text.length) return { answers, end: at };
    answers.push({ status: Number(status), headers, body: text.slice(head + 4, end) });
    at = end;
  }
}

/** Where a body ends that begins at `start`; beyond the text for one that is not whole. */
function endOf(text: string, start: number, headers: RawAnswer['headers']): number {
  if (headers['transfer-encoding'] !== 'chunked') return start + Number(headers['content-length'] ?? 0);
  const last = text.indexOf('0\r\n\r\n', start);
  return last === -1 ? Number.POSITIVE_INFINITY : last + 5;
}
