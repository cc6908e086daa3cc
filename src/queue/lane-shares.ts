/** The tenant that a permit is for. */
export interface Tenant {
  organizationId: string;
  workspaceId: string;
  /** Of the workspace. */
  weight: number;
}

// An organization may hold this many times the permits that are left, a workspace this many times what its organization may still take.
// So a busy tenant leaves some for others.
const PART = 3;

// How many more permits there are for organizations that hold none, as a factor.
const SPARE = 1;

// Items beyond it try again by themselves.
const WAITING_MAX = 10_000;
// How many workspaces a permit is offered to, and how many items wake at most: more than one where there is room for more, as those
// that one process put back may have got their permits in another.
const LOOKS_MAX = 64;
const WOKEN_MAX = 2;

interface Line<Item> {
  tenant: Tenant;
  items: Map<string, Item>;
}

/**
 * Shares out the permits of a lane in one process, by dynamic thresholds: no tenant gets the last ones, however long permits are held. An
 * item without a permit waits in the line of its workspace, and workspaces take turns. Each worker process decides for itself, so nothing
 * has to be taken back from one that has died.
 */
export class LaneShares<Item> {
  /** How many jobs this process has to take from the queue at once, so that no tenant waits behind the jobs of others. */
  readonly concurrency: number;
  private readonly permits: number;
  private readonly organizations = new Map<string, number>();
  private readonly workspaces = new Map<string, number>();
  private readonly lines = new Map<string, Line<Item>>();
  private taken = 0;
  private waitingCount = 0;

  constructor(permits: number) {
    this.permits = permits;
    this.concurrency = permits * (1 + SPARE);
  }

  /** How many permits are taken. */
  get held(): number {
    return this.taken;
  }

  /** How many items wait for one. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** Takes a permit, to be given back; false when there is none for the tenant now, and the item then waits under its name. */
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

  /** Gives a permit back; the items that may try again now. */
  leave({ organizationId, workspaceId }: Tenant): Item[] {
    this.taken -= 1;
    add(this.organizations, organizationId, -1);
    add(this.workspaces, workspaceId, -1);
    return this.wake();
  }

  /** Whether an item waits for a permit. */
  isWaiting(workspaceId: string, name: string): boolean {
    return this.lines.get(workspaceId)?.items.has(name) ?? false;
  }

  // Whether there is a permit for the tenant after `others` have taken theirs.
  private mayTake({ organizationId, workspaceId, weight }: Tenant, others = 0): boolean {
    const byOrganization = this.organizations.get(organizationId) ?? 0;
    const taken = this.taken + others;
    if (byOrganization === 0 && taken < this.concurrency) return true;
    const left = (this.permits - taken) * PART * weight - byOrganization;
    return left > others && (this.workspaces.get(workspaceId) ?? 0) + others < left * PART * weight;
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

  private wake(): Item[] {
    const woken: Item[] = [];
    let looks = Math.min(LOOKS_MAX, this.lines.size);
    for (const [workspaceId, line] of this.lines) {
      if (looks === 0 || woken.length === WOKEN_MAX) break;
      looks -= 1;
      const mayWake = this.mayTake(line.tenant, woken.length);
      if (!mayWake && woken.length > 0) break;
      // This was its turn, whether it gets a permit or not.
      this.lines.delete(workspaceId);
      this.lines.set(workspaceId, line);
      if (!mayWake) continue;
      const [name, item] = line.items.entries().next().value as [string, Item];
      this.forget(workspaceId, name);
      woken.push(item);
    }
    return woken;
  }

  /** Lets an item wait for a permit no longer. */
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
