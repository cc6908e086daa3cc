import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CLOSES = /\r\nconnection: *close/i;

/** Hears what becomes of each request of a connection; `status` is 0 when the connection broke first. */
export type OnAnswer = (status: number, connection: HttpConnection) => void;

// All connections of the process share it: its content is used up before the next read.
const shared = Buffer.allocUnsafe(256 * 1024);

/**
 * A keep-alive HTTP connection with one request under way at a time. It reads only as much of an answer as is needed to know
 * its status and its end, so that offering load costs a small part of what serving it does.
 */
export class HttpConnection {
  readonly port: number;
  private readonly onAnswer: OnAnswer;
  private socket: Socket | undefined;
  private partial = '';
  private closed = false;
  busy = false;
  /** When the call under way was due; kept here for whoever sends it. */
  dueAt = 0;
  /** When it was sent. */
  sentAt = 0;
  /** Whether it had to be opened for that. */
  isNew = false;

  constructor(port: number, onAnswer: OnAnswer) {
    this.port = port;
    this.onAnswer = onAnswer;
  }

  /** Connects; rejects when nobody listens. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({
        host: '127.0.0.1',
        port: this.port,
        noDelay: true,
        onread: {
          buffer: shared,
          callback: (length) => {
            if (socket === this.socket) this.read(shared.toString('latin1', 0, length));
            return true;
          },
        },
      });
      this.socket = socket;
      this.partial = '';
      socket.once('connect', resolve);
      socket.on('error', reject);
      socket.once('close', () => {
        if (socket === this.socket) this.lose();
      });
    });
  }

  /** Sends a request; connects anew first when the last answer closed the connection. */
  send(request: Buffer): void {
    this.busy = true;
    this.isNew = this.socket === undefined;
    if (this.socket) this.socket.write(request);
    else
      this.open().then(
        () => this.socket?.write(request),
        () => this.lose(),
      );
  }

  close(): void {
    this.closed = true;
    this.socket?.destroy();
  }

  private lose(): void {
    this.socket = undefined;
    this.partial = '';
    if (this.busy && !this.closed) this.answer(0);
  }

  private answer(status: number): void {
    this.busy = false;
    this.onAnswer(status, this);
  }

  private read(chunk: string): void {
    const text = this.partial === '' ? chunk : this.partial + chunk;
    const headEnd = text.indexOf(HEAD_END);
    if (headEnd === -1) {
      this.partial = text;
      return;
    }
    const head = text.slice(0, headEnd);
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (length === undefined) throw new Error(`an answer without content-length: ${head}`);
    if (text.length < headEnd + HEAD_END.length + Number(length)) {
      this.partial = text;
      return;
    }
    this.partial = '';
    if (CLOSES.test(head)) {
      this.socket?.destroy();
      this.socket = undefined;
    }
    // A connection that is given up is told so unasked.
    if (this.busy) this.answer(Number(text.slice(9, 12)));
  }
}
