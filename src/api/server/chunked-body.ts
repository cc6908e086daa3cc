const LINE_FEED = 0x0a;
const LINE_END = 2;

// Node's parser makes an object of each chunk and calls what reads the body, which takes a few microseconds.
const CHUNKS_AT_ONCE = 64;

/** Follows the chunks of a body of `Transfer-Encoding: chunked`, so that its end is known before it is parsed. */
export class ChunkedBody {
  /** Whether the line of the last chunk has been followed: only trailers and a blank line are missing. */
  isLast = false;
  /** How many bytes of the present chunk are missing, with the end of its line; 0 in the line with a size. */
  private left = 0;
  private size = 0;
  /** Whether all digits of that size have been followed. */
  private isSized = false;

  /** Follows some chunks; returns how many of the bytes belong to them. Of a malformed body, on which the parser gives up, any number. */
  follow(bytes: Buffer, chunksMax = CHUNKS_AT_ONCE): number {
    let at = 0;
    for (let chunks = 0; at < bytes.length && chunks < chunksMax && !this.isLast; ) {
      if (this.left === 0) {
        this.followLine(bytes[at] as number);
        at += 1;
        continue;
      }
      const part = Math.min(this.left, bytes.length - at);
      this.left -= part;
      at += part;
      chunks += 1;
    }
    return at;
  }

  private followLine(code: number): void {
    if (code === LINE_FEED) {
      this.isLast = this.size === 0;
      this.left = this.isLast ? 0 : this.size + LINE_END;
      this.size = 0;
      this.isSized = false;
    } else if (!this.isSized) {
      const digit = Number.parseInt(String.fromCharCode(code), 16);
      // An extension, or the end of the line.
      this.isSized = Number.isNaN(digit);
      if (!this.isSized) this.size = this.size * 16 + digit;
    }
  }
}
