/** What an organization holds. */
interface Share {
  readonly organizationId: string;
  /** How many requests or responses hold something of it. */
  holders: number;
  bytes: number;
}

/** Shares out the bytes that a process holds for its callers: an organization holds at most as much as is left for all others. */
export class ByteShares {
  private readonly max: number;
  private readonly shares = new Map<string, Share>();
  private held = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** How many bytes are held. */
  get bytes(): number {
    return this.held;
  }

  /** Whether an organization may hold so many bytes more. */
  hasRoom(organizationId: string, bytes: number): boolean {
    return (this.shares.get(organizationId)?.bytes ?? 0) + bytes <= this.max - this.held;
  }

  /** Lets one request or response hold something in the share of its organization, until it is released. */
  join(organizationId: string): HeldBytes {
    const share = this.shares.get(organizationId) ?? { organizationId, holders: 0, bytes: 0 };
    this.shares.set(organizationId, share);
    share.holders += 1;
    return new HeldBytes(this, share);
  }

  /** Adds to what a share has, or takes away from it. */
  add(share: Share, bytes: number): void {
    share.bytes += bytes;
    this.held += bytes;
  }

  /** Ends one part in a share. */
  leave(share: Share): void {
    share.holders -= 1;
    if (share.holders === 0) this.shares.delete(share.organizationId);
  }
}

/** What one request or response holds. */
export class HeldBytes {
  bytes = 0;
  private isReleased = false;
  private readonly shares: ByteShares;
  private readonly share: Share;

  constructor(shares: ByteShares, share: Share) {
    this.shares = shares;
    this.share = share;
  }

  /** Whether it may hold so many bytes more. */
  hasRoom(bytes: number): boolean {
    return this.shares.hasRoom(this.share.organizationId, bytes);
  }

  /** Holds more, or less where it is below zero; nothing once it is released. */
  add(bytes: number): void {
    if (this.isReleased) return;
    this.bytes += bytes;
    this.shares.add(this.share, bytes);
  }

  /** Gives everything back; a second time does nothing. */
  release(): void {
    if (this.isReleased) return;
    this.add(-this.bytes);
    this.isReleased = true;
    this.shares.leave(this.share);
  }
}
