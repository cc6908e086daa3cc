import type { IncomingMessage } from 'node:http';
import { ChunkedBody } from './chunked-body.ts';

// The end of a request's head, and of a chunked body.
const BLANK_LINE = '\r\n\r\n';
// Bytes are found faster than a text.
const BLANK_LINE_BYTES = Buffer.from(BLANK_LINE);
const TAIL = BLANK_LINE.length - 1;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

// So much of a body is parsed together with its head. A chunked one may have hundreds of chunks in it.
const SHORT = 1024;

const NOTHING = Buffer.alloc(0);

/**
 * The bytes that a connection has sent and the parser has not read. They are passed on in parts with at most one request's head each: from
 * a part with thousands of heads, the parser would start all requests at once. A part has some chunks of a chunked body at most.
 */
export class UnparsedBytes {
  private bytes: Buffer = NOTHING;
  /** The last bytes that were passed on, if a blank line may have begun in them. */
  private tail = '';
  /** The request whose head was parsed last; null once it is forgotten. */
  private request: IncomingMessage | null = null;
  /** Whether that head ended in the part that is being parsed. */
  private hasBegun = false;
  /** How many bytes of its body are missing; 0 for a chunked body. */
  private bodyLeft = 0;
  private chunked: ChunkedBody | null = null;

  get size(): number {
    return this.bytes.length;
  }

  /** Whether the next bytes belong to the body of that request. */
  get isBody(): boolean {
    return this.isSizedBody || (this.chunked !== null && this.request?.complete === false);
  }

  /** Whether they belong to a body whose size is known, so that the next part may be all of it. */
  get isSizedBody(): boolean {
    return this.bodyLeft > 0;
  }

  add(bytes: Buffer): void {
    this.bytes = this.bytes.length === 0 ? bytes : Buffer.concat([this.bytes, bytes]);
  }

  /** Passes the next part to the parser. */
  parseNext(parse: (bytes: Buffer) => void): void {
    if (this.bodyLeft > 0) {
      const part = this.take(Math.min(this.bodyLeft, this.size));
      this.bodyLeft -= part.length;
      parse(part);
      return;
    }
    if (this.chunked?.isLast === false && this.isBody) {
      parse(this.take(this.chunked.follow(this.bytes)));
      return;
    }
    const headEnd = this.findBlankLine();
    // Without another blank line, the bytes after the head hold no further head.
    const isShort = this.size - headEnd <= SHORT;
    const isLast = isShort && !this.isBody && this.bytes.indexOf(BLANK_LINE_BYTES, headEnd) === -1;
    const part = this.take(isLast ? this.size : headEnd);
    this.hasBegun = false;
    parse(part);
    if (!this.hasBegun || this.request === null) return;
    const { 'content-length': length = 0 } = this.request.headers;
    this.bodyLeft = Math.max(0, Number(length) - (part.length - headEnd));
    this.chunked?.follow(part.subarray(headEnd), Number.POSITIVE_INFINITY);
  }

  /** Call it for each request whose head was parsed. */
  begin(request: IncomingMessage): void {
    this.request = request;
    this.hasBegun = true;
    this.chunked = request.headers['transfer-encoding'] === undefined ? null : new ChunkedBody();
  }

  /** Lets go of the request that was parsed last; its body has arrived. */
  forget(): void {
    this.request = null;
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

  /** The index after the first blank line, or the length of all bytes. */
  private findBlankLine(): number {
    if (this.tail !== '') {
      const seam = (this.tail + this.bytes.toString('latin1', 0, TAIL)).indexOf(BLANK_LINE);
      if (seam !== -1) return seam + BLANK_LINE.length - this.tail.length;
    }
    const at = this.bytes.indexOf(BLANK_LINE_BYTES);
    return at === -1 ? this.size : at + BLANK_LINE.length;
  }
}

function endsLine(part: Buffer): boolean {
  const last = part[part.length - 1];
  return last === CARRIAGE_RETURN || last === LINE_FEED;
}
