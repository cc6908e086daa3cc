/** The tenant that a permit is taken for. */
export interface Tenant {
  organizationId: string;
  workspaceId: string;
  /** The workspace's share of the permits, relative to other workspaces. */
  weight: number;
}

// The factor of the dynamic threshold: an organization may hold this many times the free permits, and a workspace this many times what its
// organization may still take. So a busy tenant leaves some permits for others.
const THRESHOLD_FACTOR = 3;

// How many permits there are in addition for organizations that hold none, as a multiple of the others.
const SPARE_FACTOR = 1;

// Items beyond this many do not wait here: they retry by themselves.
const WAITING_MAX = 10_000;
// How many lines are asked for an item that may use a freed permit: it bounds the time that this takes.
const LINES_TRIED_MAX = 64;
// How many items a freed permit wakes at most, if there is room for them. More than one, as an item that waits here may have got its permit
// in another process meanwhile.
const WOKEN_MAX = 2;

/** The items of a workspace that wait, by name. */
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
  private heldCount = 0;
  private readonly heldByOrganization = new Map<string, number>();
  private readonly heldByWorkspace = new Map<string, number>();
  /** By workspace; the one whose turn is next first. */
  private readonly lines = new Map<string, Line<Item>>();
  private waitingCount = 0;

  constructor(permits: number) {
    this.permits = permits;
  }

  /** How many jobs this process must take from the queue at once so that no tenant waits behind the jobs of others. */
  get concurrency(): number {
    return this.permits * (1 + SPARE_FACTOR);
  }

  /** How many permits are held. */
  get held(): number {
    return this.heldCount;
  }

  /** How many items wait for a permit. */
  get waiting(): number {
    return this.waitingCount;
  }

  /**
   * Takes a permit, which the caller must give back. False if the tenant gets none now: the item then waits under its name, unless 10,000
   * wait already.
   */
  take(tenant: Tenant, name: string, item: Item): boolean {
    const { organizationId, workspaceId } = tenant;
    if (!this.mayTake(tenant)) {
      this.wait(tenant, name, item);
      return false;
    }
    this.forget(workspaceId, name);
    this.heldCount += 1;
    add(this.heldByOrganization, organizationId, 1);
    add(this.heldByWorkspace, workspaceId, 1);
    return true;
  }

  /** Gives a permit back; returns the items that may try again now. */
  giveBack({ organizationId, workspaceId }: Tenant): Item[] {
    this.heldCount -= 1;
    add(this.heldByOrganization, organizationId, -1);
    add(this.heldByWorkspace, workspaceId, -1);
    return this.wake();
  }

  /** Changes how many permits there are; returns the items that may try again now. Permits that are held stay held. */
  resize(permits: number): Item[] {
    this.permits = permits;
    return this.wake(permits - this.heldCount);
  }

  /** The item that may try now, if any, in place of one that waits no longer; `others` that were woken may yet take their permits. */
  wakeAnother(others: number): Item[] {
    return this.wake(1, others);
  }

  /** Whether an item waits for a permit. */
  isWaiting(workspaceId: string, name: string): boolean {
    return this.lines.get(workspaceId)?.items.has(name) ?? false;
  }

  /** Removes an item that waits for a permit. */
  forget(workspaceId: string, name: string): void {
    const line = this.lines.get(workspaceId);
    if (line === undefined || !line.items.delete(name)) return;
    this.waitingCount -= 1;
    if (line.items.size === 0) this.lines.delete(workspaceId);
  }

  // Whether there is a permit for the tenant, once `others` woken items have taken theirs. Any of these may be of the same tenant.
  private mayTake({ organizationId, workspaceId, weight }: Tenant, others = 0): boolean {
    const byOrganization = this.heldByOrganization.get(organizationId) ?? 0;
    const byWorkspace = this.heldByWorkspace.get(workspaceId) ?? 0;
    const held = this.heldCount + others;
    if (byOrganization === 0 && held < this.concurrency) return true;
    const factor = THRESHOLD_FACTOR * weight;
    const leftToOrganization = (this.permits - held) * factor - byOrganization;
    return leftToOrganization > others && byWorkspace + others < leftToOrganization * factor;
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

  private wake(wokenMax = WOKEN_MAX, others = 0): Item[] {
    const woken: Item[] = [];
    // Each line is moved to the end, so without this count the loop would meet it again.
    let linesLeft = Math.max(wokenMax, Math.min(LINES_TRIED_MAX, this.lines.size));
    for (const [workspaceId, line] of this.lines) {
      if (linesLeft === 0 || woken.length >= wokenMax) break;
      linesLeft -= 1;
      const mayWake = this.mayTake(line.tenant, woken.length + others);
      // There is no permit only because of those just woken: the line keeps its turn.
      if (!mayWake && this.mayTake(line.tenant)) break;
      // Otherwise it has had its turn, with or without a permit.
      this.lines.delete(workspaceId);
      this.lines.set(workspaceId, line);
      if (!mayWake) continue;
      const [name, item] = line.items.entries().next().value as [string, Item];
      this.forget(workspaceId, name);
      woken.push(item);
    }
    return woken;
  }
}

function add(counts: Map<string, number>, id: string, change: number): void {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
