/** The share of an organization. */
interface Share {
  readonly organizationId: string;
  /** How many holdings are open. */
  holders: number;
  bytes: number;
}

/**
 * Shares out the bytes that a process may hold: an organization gets more as long as it then holds at most what was left for all (a dynamic
 * threshold).
 */
export class ByteShares {
  /** The most bytes; if it falls below what is held, nothing more has room until that was given back. */
  max: number;
  private readonly shares = new Map<string, Share>();
  private held = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Bytes held in all. */
  get bytes(): number {
    return this.held;
  }

  /** Whether these bytes fit the organization's share. */
  hasRoom(organizationId: string, bytes: number): boolean {
    return (this.shares.get(organizationId)?.bytes ?? 0) + bytes <= this.max - this.held;
  }

  /** Opens a holding in an organization's share. The caller must release it. */
  join(organizationId: string): HeldBytes {
    const share = this.shares.get(organizationId) ?? { organizationId, holders: 0, bytes: 0 };
    this.shares.set(organizationId, share);
    share.holders += 1;
    return new HeldBytes(this, share);
  }

  /** Adds to a share, or subtracts from it. */
  add(share: Share, bytes: number): void {
    share.bytes += bytes;
    this.held += bytes;
  }

  /** Closes a holding. */
  leave(share: Share): void {
    share.holders -= 1;
    if (share.holders === 0) this.shares.delete(share.organizationId);
  }
}

/** What one request or response, or all live reads of an organization, holds of the share. */
export class HeldBytes {
  bytes = 0;
  private isReleased = false;
  private readonly shares: ByteShares;
  private readonly share: Share;

  constructor(shares: ByteShares, share: Share) {
    this.shares = shares;
    this.share = share;
  }

  /** Whether these bytes fit. */
  hasRoom(bytes: number): boolean {
    return this.shares.hasRoom(this.share.organizationId, bytes);
  }

  /** Holds more bytes, or fewer if negative. No effect after the release. */
  add(bytes: number): void {
    if (this.isReleased) return;
    this.bytes += bytes;
    this.shares.add(this.share, bytes);
  }

  /** Gives everything back. Idempotent. */
  release(): void {
    if (this.isReleased) return;
    this.add(-this.bytes);
    this.isReleased = true;
    this.shares.leave(this.share);
  }
}
