import type { IncomingMessage } from 'node:http';

// Ends the head of a request, and a chunked body.
const BLANK_LINE = '\r\n\r\n';
const TAIL = BLANK_LINE.length - 1;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const NOTHING = Buffer.alloc(0);

/**
 * What a connection has sent and the parser has not read. It is given out in parts that end at most one request's head each: of a
 * part that held thousands, the parser would make all requests at once.
 */
export class UnparsedBytes {
  private bytes: Buffer = NOTHING;
  /** The last bytes that were given out, where a blank line may have begun in them. */
  private tail = '';
  /** The request that was begun last. */
  private request: IncomingMessage | null = null;
  /** Whether it was begun by the part that is being parsed. */
  private hasBegun = false;
  /** How much of its body is to come; 0 for a chunked one, which says so itself. */
  private bodyLeft = 0;
  private isChunked = false;

  get size(): number {
    return this.bytes.length;
  }

  /** Whether what comes next is of the body of the request that was begun last. */
  get isBody(): boolean {
    return this.bodyLeft > 0 || (this.isChunked && this.request?.complete === false);
  }

  add(bytes: Buffer): void {
    this.bytes = this.bytes.length === 0 ? bytes : Buffer.concat([this.bytes, bytes]);
  }

  /** Has the parser read the next part. */
  parseNext(parse: (bytes: Buffer) => void): void {
    if (this.bodyLeft > 0) {
      const part = this.take(Math.min(this.bodyLeft, this.size));
      this.bodyLeft -= part.length;
      parse(part);
      return;
    }
    const headEnd = this.findBlankLine();
    // What follows the head of a request and has no blank line is the body of this one request.
    const isLast = !this.isBody && this.bytes.indexOf(BLANK_LINE, headEnd, 'latin1') === -1;
    const part = this.take(isLast ? this.size : headEnd);
    this.hasBegun = false;
    parse(part);
    if (!this.hasBegun || this.request === null) return;
    const { 'content-length': length = 0 } = this.request.headers;
    this.bodyLeft = Math.max(0, Number(length) - (part.length - headEnd));
  }

  /** To be told of each request whose head the parser has read. */
  begin(request: IncomingMessage): void {
    this.request = request;
    this.hasBegun = true;
    this.isChunked = request.headers['transfer-encoding'] !== undefined;
  }

  clear(): void {
    this.bytes = NOTHING;
  }

  private take(end: number): Buffer {
    const part = end === this.size ? this.bytes : this.bytes.subarray(0, end);
    this.bytes = end === this.size ? NOTHING : this.bytes.subarray(end);
    this.tail = endsLine(part)
      ? (this.tail + part.toString('latin1', Math.max(0, part.length - TAIL))).slice(-TAIL)
      : '';
    return part;
  }

  /** Where the first blank line ends, or all there is. */
  private findBlankLine(): number {
    if (this.tail !== '') {
      const seam = (this.tail + this.bytes.toString('latin1', 0, TAIL)).indexOf(BLANK_LINE);
      if (seam !== -1) return seam + BLANK_LINE.length - this.tail.length;
    }
    const at = this.bytes.indexOf(BLANK_LINE, 0, 'latin1');
    return at === -1 ? this.size : at + BLANK_LINE.length;
  }
}

function endsLine(part: Buffer): boolean {
  const last = part[part.length - 1];
  return last === CARRIAGE_RETURN || last === LINE_FEED;
}
