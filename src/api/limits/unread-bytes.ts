import { ByteShares, type HeldBytes } from '../server/byte-shares.ts';

/** A live read may be sent this much without reserved room: the connection's own buffer takes it. */
export const SMALL_BYTES = 8 * 1024;

// Each waiting reader holds its request and its connection.
const WAITING_MAX = 2_000;

/**
 * Bounds the bytes sent to live reads and not yet taken by them. An organization holds at most as much as is left for all others. Bytes
 * that many readers are sent together count once. Readers without room wait in the order in which they came.
 */
export class UnreadBytes {
  private readonly shares: ByteShares;
  private readonly organizations = new Map<string, Organization>();
  /** The organizations with waiting readers. */
  private readonly withWaiting = new Set<Organization>();
  private isWaking = false;

  constructor(max: number) {
    this.shares = new ByteShares(max);
  }

  /** How many bytes are held or reserved. */
  get bytes(): number {
    return this.shares.bytes;
  }

  /** Adds a reader, which must `leave`. */
  join(organizationId: string): UnreadReader {
    const known = this.organizations.get(organizationId);
    const organization = known ?? {
      share: this.shares.join(organizationId),
      readers: 0,
      held: new Map(),
      waiting: new Set(),
    };
    this.organizations.set(organizationId, organization);
    organization.readers += 1;
    const leave = () => {
      organization.readers -= 1;
      if (organization.readers > 0) return;
      organization.share.release();
      this.organizations.delete(organizationId);
    };
    const wait = (waiter: Waiter) => {
      organization.waiting.add(waiter);
      this.withWaiting.add(organization);
    };
    return new UnreadReader(organization, { wait, wake: () => this.wakeSoon(), leave });
  }

  // Later, not in the caller's stack: a woken reader may itself give back room that another waits for.
  private wakeSoon(): void {
    if (this.isWaking || this.withWaiting.size === 0) return;
    this.isWaking = true;
    setImmediate(() => {
      this.isWaking = false;
      for (const organization of this.withWaiting) {
        const { share, waiting } = organization;
        for (const waiter of waiting) {
          if (!share.hasRoom(waiter.bytes)) break;
          waiting.delete(waiter);
          waiter.grant();
          waiter.go();
        }
        if (waiting.size === 0) this.withWaiting.delete(organization);
      }
    });
  }
}

interface Organization {
  share: HeldBytes;
  readers: number;
  /** Bytes that were written and not taken -> the number of readers that hold them. */
  held: Map<Uint8Array, number>;
  waiting: Set<Waiter>;
}

interface Waiter {
  bytes: number;
  /** Reserves the bytes. */
  grant(): void;
  go(): void;
}

/** The bytes of one live read. It reserves or holds at most one chunk. */
export class UnreadReader {
  private readonly organization: Organization;
  private readonly parent: { wait(waiter: Waiter): void; wake(): void; leave(): void };
  private reserved = 0;
  private held: Uint8Array | null = null;
  private waiter: Waiter | null = null;
  private hasLeft = false;

  constructor(organization: Organization, parent: UnreadReader['parent']) {
    this.organization = organization;
    this.parent = parent;
  }

  /**
   * Reserves room for the next write, in place of the last reservation. False if there is no room, or if others of the organization already
   * wait for room.
   */
  reserve(bytes: number): boolean {
    const more = bytes - this.reserved;
    const { waiting, share } = this.organization;
    if (more > 0 && (waiting.size > 0 || !share.hasRoom(more))) return false;
    this.setReserved(bytes);
    return true;
  }

  /** Whether another reader of the organization holds the same bytes, so that they cost nothing more. */
  isHeld(bytes: Uint8Array): boolean {
    return this.organization.held.has(bytes);
  }

  /** Whether too many readers of the organization wait for room, so that another one should retry later. */
  get isCrowded(): boolean {
    return this.organization.waiting.size >= WAITING_MAX;
  }

  /** Calls `go` once, when this many bytes are reserved. Gives back the last reservation. */
  whenRoom(bytes: number, go: () => void): void {
    if (this.waiter !== null) this.organization.waiting.delete(this.waiter);
    // Readers that kept a reservation while they wait for a larger one could wait for each other without end.
    this.setReserved(0);
    const grant = () => this.setReserved(bytes);
    this.waiter = { bytes, grant, go };
    this.parent.wait(this.waiter);
    this.parent.wake();
  }

  /** Replaces the reservation by the bytes written, which are held until `take`. */
  hold(bytes: Uint8Array): void {
    const { held, share } = this.organization;
    this.setReserved(0);
    const holders = held.get(bytes) ?? 0;
    if (holders === 0) share.add(bytes.length);
    held.set(bytes, holders + 1);
    this.held = bytes;
  }

  /** Gives back what is held and reserved: the reader has taken everything. */
  take(): void {
    const { held, share } = this.organization;
    this.setReserved(0);
    if (this.held === null) return;
    const holders = held.get(this.held) ?? 1;
    if (holders > 1) held.set(this.held, holders - 1);
    else {
      held.delete(this.held);
      share.add(-this.held.length);
      this.parent.wake();
    }
    this.held = null;
  }

  /** Removes the reader. Idempotent. */
  leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    // Those behind a waiter that leaves may need less room.
    if (this.waiter !== null && this.organization.waiting.delete(this.waiter)) this.parent.wake();
    this.take();
    this.parent.leave();
  }

  private setReserved(bytes: number): void {
    const more = bytes - this.reserved;
    if (more === 0) return;
    this.organization.share.add(more);
    this.reserved = bytes;
    if (more < 0) this.parent.wake();
  }
}
