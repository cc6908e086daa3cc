/** The tenant that a permit is taken for. */
export interface Tenant {
  organizationId: string;
  workspaceId: string;
  /** The workspace's weight. */
  weight: number;
}

// The factor of the dynamic threshold: an organization may hold this many times the free permits, and a workspace this many times what its
// organization may still take. So a busy tenant leaves some permits for others.
const THRESHOLD_FACTOR = 3;

// Extra permits, as a factor, reserved for organizations that hold none.
const SPARE = 1;

// Items beyond this many are not queued: they retry by themselves.
const WAITING_MAX = 10_000;
// How many workspaces a freed permit is offered to, and how many items it wakes at most. More than one, if there is room: an item that
// waits here may have got its permit in another process meanwhile.
const LOOKS_MAX = 64;
const WOKEN_MAX = 2;

interface Line<Item> {
  tenant: Tenant;
  items: Map<string, Item>;
}

/**
 * Shares out the permits of a lane in one process, by dynamic thresholds: no tenant gets the last permits, however long permits are held.
 * An item without a permit waits in the line of its workspace, and workspaces take turns. Each worker process decides for itself, so no
 * permits have to be recovered from a dead process.
 */
export class LaneShares<Item> {
  private permits: number;
  private readonly organizations = new Map<string, number>();
  private readonly workspaces = new Map<string, number>();
  private readonly lines = new Map<string, Line<Item>>();
  private taken = 0;
  private waitingCount = 0;

  constructor(permits: number) {
    this.permits = permits;
  }

  /** How many jobs this process must take from the queue at once so that no tenant waits behind the jobs of others. */
  get concurrency(): number {
    return this.permits * (1 + SPARE);
  }

  /** How many permits are taken. */
  get held(): number {
    return this.taken;
  }

  /** How many items wait for a permit. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** Takes a permit, which the caller must give back. False if the tenant gets none now: the item then waits under its name. */
  take(tenant: Tenant, name: string, item: Item): boolean {
    const { organizationId, workspaceId } = tenant;
    if (!this.mayTake(tenant)) {
      this.wait(tenant, name, item);
      return false;
    }
    this.forget(workspaceId, name);
    this.taken += 1;
    add(this.organizations, organizationId, 1);
    add(this.workspaces, workspaceId, 1);
    return true;
  }

  /** Gives a permit back; returns the items that may try again now. */
  leave({ organizationId, workspaceId }: Tenant): Item[] {
    this.taken -= 1;
    add(this.organizations, organizationId, -1);
    add(this.workspaces, workspaceId, -1);
    return this.wake();
  }

  /** Changes how many permits there are; returns the items that may try again now. Taken permits stay taken. */
  resize(permits: number): Item[] {
    this.permits = permits;
    return this.wake(permits - this.taken);
  }

  /** Whether an item waits for a permit. */
  isWaiting(workspaceId: string, name: string): boolean {
    return this.lines.get(workspaceId)?.items.has(name) ?? false;
  }

  // Whether there is a permit for the tenant if `others` items take theirs first.
  private mayTake({ organizationId, workspaceId, weight }: Tenant, others = 0): boolean {
    const byOrganization = this.organizations.get(organizationId) ?? 0;
    const taken = this.taken + others;
    if (byOrganization === 0 && taken < this.concurrency) return true;
    const factor = THRESHOLD_FACTOR * weight;
    const left = (this.permits - taken) * factor - byOrganization;
    return left > others && (this.workspaces.get(workspaceId) ?? 0) + others < left * factor;
  }

  private wait(tenant: Tenant, name: string, item: Item): void {
    if (this.waitingCount >= WAITING_MAX || this.isWaiting(tenant.workspaceId, name)) return;
    const line = this.lines.get(tenant.workspaceId);
    if (line === undefined) this.lines.set(tenant.workspaceId, { tenant, items: new Map([[name, item]]) });
    else {
      line.tenant = tenant;
      line.items.set(name, item);
    }
    this.waitingCount += 1;
  }

  private wake(wokenMax = WOKEN_MAX): Item[] {
    const woken: Item[] = [];
    let looks = Math.max(wokenMax, Math.min(LOOKS_MAX, this.lines.size));
    for (const [workspaceId, line] of this.lines) {
      if (looks === 0 || woken.length >= wokenMax) break;
      looks -= 1;
      const mayWake = this.mayTake(line.tenant, woken.length);
      // The line keeps its turn for the next free permit.
      if (!mayWake && woken.length > 0) break;
      // The line has had its turn, with or without a permit.
      this.lines.delete(workspaceId);
      this.lines.set(workspaceId, line);
      if (!mayWake) continue;
      const [name, item] = line.items.entries().next().value as [string, Item];
      this.forget(workspaceId, name);
      woken.push(item);
    }
    return woken;
  }

  /** Removes an item that waits for a permit. */
  forget(workspaceId: string, name: string): void {
    const line = this.lines.get(workspaceId);
    if (line === undefined || !line.items.delete(name)) return;
    this.waitingCount -= 1;
    if (line.items.size === 0) this.lines.delete(workspaceId);
  }
}

function add(counts: Map<string, number>, id: string, change: number): void {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
