// Shorter pieces are copied: each one would take a hundred bytes, and keep all that was received with it.
const PIECE_BYTES = 16 * 1024;

/** Collects the pieces of a body. However short they are, the memory they take is about that of the body. */
export class BodyPieces {
  /** How many bytes the pieces have. */
  size = 0;
  private whole: Buffer[] = [];
  /** The copies of short pieces. */
  private copied: Buffer | null = null;
  private copiedBytes = 0;

  add(piece: Buffer): void {
    this.size += piece.length;
    // Most bodies come in one piece.
    if (piece.length >= PIECE_BYTES || this.size === piece.length) {
      this.endCopied();
      this.whole.push(piece);
      return;
    }
    if (this.copied === null || this.copiedBytes + piece.length > PIECE_BYTES) {
      this.endCopied();
      this.copied = Buffer.allocUnsafeSlow(PIECE_BYTES);
    }
    this.copiedBytes += piece.copy(this.copied, this.copiedBytes);
  }

  /** The body; afterwards nothing is kept of it. */
  take(): Buffer {
    this.endCopied();
    const { whole, size } = this;
    this.whole = [];
    const [only = Buffer.alloc(0)] = whole;
    return whole.length > 1 ? Buffer.concat(whole, size) : only;
  }

  private endCopied(): void {
    if (this.copied !== null) this.whole.push(this.copied.subarray(0, this.copiedBytes));
    this.copied = null;
    this.copiedBytes = 0;
  }
}
